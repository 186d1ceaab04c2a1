import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Response } from 'supertest';
import { factorKey } from '../../src/accounts/second-factors.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, formOf, type Browser } from '../support/browser.ts';
import { addPasskey, enterPasskey } from '../support/passkeys.ts';
import type { TestClient } from '../support/people.ts';
import {
  alertOf,
  codeOf,
  keyIn,
  nextOf,
  recoveryCodesIn,
  titleOf,
  wrongCodeOf,
} from '../support/second-factor.ts';

const password = 'copper-lantern-7';
const stepMs = 30_000;

describe('the second factor of staff', () => {
  let auth: ServiceUnderTest;
  let client: TestClient;
  let count = 0;
  beforeAll(async () => {
    auth = await startService('second-factor', { environment: { STAFF_SECOND_FACTOR: 'required' } });
    client = await auth.createClient({ staff: true });
  });
  afterAll(() => auth.close());

  const addStaff = async (): Promise<string> => {
    count += 1;
    const username = `colleague${count}`;
    const account = { username, password, roles: { '*': ['support'] } };
    await auth.internal('/internal/staff/create', account).expect(200);
    return username;
  };
  const accountOf = (username: string) =>
    auth.context.connection.collection('accounts').findOne({ staff: true, username });
  /** Enters the password; the response to it. */
  const enter = async (username: string, browser: Browser, parameters = {}): Promise<Response> =>
    browser.submit(await browser.begin(client, parameters), { login: username, password });
  const enterCode = async (username: string, browser: Browser, code: string) =>
    browser.submit(await enter(username, browser, { prompt: 'login' }), { code });
  const amrAfter = async (end: Response): Promise<unknown> => {
    const code = destination(end).searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    return decodeJwt((body as { access_token: string }).access_token)['amr'];
  };
  /** A colleague who has set up an app, and signed in with it. */
  const withApp = async (browser = auth.browser()) => {
    const username = await addStaff();
    const page = await enter(username, browser);
    const key = keyIn(page);
    const code = codeOf(key);
    const shown = await browser.submit(page, { code });
    const codes = recoveryCodesIn(shown);
    const end = await browser.open(nextOf(shown));
    return { username, key, code, codes, end, browser };
  };
  /** As if a step later, so that the app shows another code. */
  const nextStep = <Result>(work: (now: number) => Promise<Result>) =>
    auth.later(stepMs, () => work(Date.now() + stepMs));

  it('is set up at the first sign-in, and asked for at each one from then on', async () => {
    const username = await addStaff();
    const browser = auth.browser();
    const page = await enter(username, browser);
    expect(titleOf(page)).toBe('Protect your account');
    const key = keyIn(page);
    const again = await browser.submit(page, { code: wrongCodeOf(key) });
    expect([alertOf(again), keyIn(again)]).toEqual([expect.stringContaining('is wrong'), key]);
    const shown = await browser.submit(again, { code: codeOf(key) });
    expect(recoveryCodesIn(shown)).toHaveLength(8);
    expect(await amrAfter(await browser.open(nextOf(shown)))).toEqual(['pwd', 'otp', 'mfa']);

    const asked = await enter(username, auth.browser());
    expect(titleOf(asked)).toBe('Confirm that it is you');
    expect(asked.text).not.toContain(key.slice(0, 4));
    await nextStep(async (now) => {
      const other = auth.browser();
      expect(await amrAfter(await enterCode(username, other, ` ${codeOf(key, now)}`))).toEqual([
        'pwd',
        'otp',
        'mfa',
      ]);
    });
  });

  it('hides key and recovery codes from a reader of the database', async () => {
    const { username, key, codes } = await withApp();
    const stored = JSON.stringify(await accountOf(username));
    expect(stored).not.toContain(key);
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  it('takes no code twice, and none of before', async () => {
    const { username, key, code: usedCode } = await withApp();
    const isRefused = async (code: string) =>
      alertOf(await enterCode(username, auth.browser(), code))?.includes('already used');
    expect(await isRefused(usedCode)).toBe(true);
    await nextStep(async (now) => {
      const page = await enter(username, auth.browser());
      expect(page.status).toBe(200);
      const [first, second] = [auth.browser(), auth.browser()];
      const pages = [await enter(username, first), await enter(username, second)] as const;
      const code = codeOf(key, now);
      const ends = await Promise.all([first.submit(pages[0], { code }), second.submit(pages[1], { code })]);
      expect(ends.filter((end) => end.get('Location'))).toHaveLength(1);
      expect(await isRefused(codeOf(key, now - stepMs))).toBe(true);
    });
  });

  it('cannot be added with the password alone once there is one', async () => {
    const username = await addStaff();
    const thief = auth.browser();
    const early = await enter(username, thief);
    const earlyKey = keyIn(early);
    const owner = auth.browser();
    const page = await enter(username, owner);
    await owner.submit(page, { code: codeOf(keyIn(page)) });
    // The page that the thief has opened before does not replace it.
    const late = await thief.submit(early, { code: codeOf(earlyKey) });
    expect([late.get('Location'), alertOf(late)]).toEqual([undefined, expect.stringContaining('too long')]);
    const { passkey, page: latePasskey } = await addPasskey(thief, early);
    expect(latePasskey.get('Location')).toBeUndefined();
    expect(passkey).toBeDefined();
    expect(await accountOf(username)).not.toHaveProperty('passkeys');
    const now = await enter(username, thief);
    // Nor does the proof of the password, sent as one for an enrollment.
    const { fields } = formOf(now);
    const forged = await thief.submit(early, { ...fields, code: codeOf(earlyKey) });
    expect(forged.get('Location')).toBeUndefined();
    expect(titleOf(now)).toBe('Confirm that it is you');
  });

  it('counts in the browser that entered the password only', async () => {
    const { username, key } = await withApp();
    const page = await enter(username, auth.browser());
    await nextStep(async (now) => {
      const other = auth.browser();
      const own = await other.begin(client);
      const { proof = '' } = formOf(page).fields;
      const action = `${formOf(own).action}/factor`;
      const answer = await other.post(action, { ...formOf(own).fields, proof, code: codeOf(key, now) });
      expect([answer.get('Location'), alertOf(answer)]).toEqual([
        undefined,
        expect.stringContaining('too long'),
      ]);
    });
  });

  it('limits wrong codes, also at the same time and beside right ones of the owner', async () => {
    const { username, key, browser } = await withApp();
    const thief = auth.browser();
    const page = await enter(username, thief);
    const code = wrongCodeOf(key);
    const answers = await Promise.all(Array.from({ length: 12 }, () => thief.submit(page, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    await nextStep(async (now) => {
      const blocked = await thief.submit(page, { code: codeOf(key, now) });
      expect([blocked.status, blocked.get('Retry-After')]).toEqual([429, expect.any(String)]);
      const end = await enterCode(username, browser, codeOf(key, now));
      expect(await amrAfter(end)).toEqual(['pwd', 'otp', 'mfa']);
    });
    // The sign-in of the owner gives the thief no new attempts.
    expect((await thief.submit(page, { code })).status).toBe(429);
  });

  it('counts no right codes, and keeps the wrong ones in between', async () => {
    const { username, key } = await withApp();
    const wrong = async () => (await enterCode(username, auth.browser(), wrongCodeOf(key))).status;
    for (const expected of [200, 200, 200, 200]) expect(await wrong()).toBe(expected);
    await nextStep(async (now) => {
      expect(await amrAfter(await enterCode(username, auth.browser(), codeOf(key, now)))).toContain('otp');
    });
    expect([await wrong(), await wrong()]).toEqual([200, 429]);
  });

  it('refuses the app for long after a hundred wrong codes, and still takes a recovery code', async () => {
    const { username, key, codes, browser } = await withApp();
    const { _id } = (await accountOf(username)) ?? {};
    const { attempts } = auth.context.accounts;
    for (let count = 0; count < 100; count += 1) await attempts.fail('appCode', factorKey(String(_id)));
    await nextStep(async (now) => {
      const record = jest.spyOn(auth.context.security, 'record');
      const refused = await enterCode(username, auth.browser(), codeOf(key, now));
      expect([refused.status, alertOf(refused)]).toEqual([429, expect.stringContaining('recovery code')]);
      expect(record).toHaveBeenCalledWith('second_factor_locked', expect.objectContaining({ staff: _id }));
      record.mockRestore();
      // A browser that has proven both before has its own count.
      expect(await amrAfter(await enterCode(username, browser, codeOf(key, now)))).toContain('otp');
      const renewing = auth.browser();
      const page = await enterCode(username, renewing, codes[0] ?? '');
      expect(titleOf(page)).toBe('Protect your account');
      const newKey = keyIn(page);
      await renewing.submit(page, { code: codeOf(newKey, now) });
      await nextStep(async (later) => {
        expect(
          await amrAfter(await enterCode(username, auth.browser(), codeOf(newKey, later + stepMs))),
        ).toContain('otp');
      });
    });
  });

  it('keeps the entry of a recovery code open after a wrong one, and says that there is no account page', async () => {
    const { username, browser } = await withApp();
    const page = await enterCode(username, browser, 'AAAA-BBBB-CCCC-DDDD');
    expect(page.text).toMatch(/<details open>.*id="recovery"[^>]*aria-invalid="true" autofocus/s);
    expect(alertOf(page)).toContain('This recovery code is wrong');
    const account = await browser.open('/account');
    expect(account.text).toContain('You are signed in with a staff account');
    expect(formOf(await browser.open('/account?account=other')).fields).toHaveProperty('password');
  });

  it('takes each recovery code once, in any spelling, and offers a new app', async () => {
    const { username, key, codes } = await withApp();
    const [first = '', second = ''] = codes;
    const browser = auth.browser();
    const offered = await enterCode(username, browser, first.toLowerCase().replaceAll('-', ' '));
    expect(titleOf(offered)).toBe('Protect your account');
    // Without a new app the old one stays.
    const { csrf = '', proof = '' } = formOf(offered).fields;
    const skipped = await browser.post(formOf(offered).action, { csrf, proof, skip: 'yes' });
    expect(await amrAfter(skipped)).toEqual(['pwd', 'otp', 'mfa']);
    expect(alertOf(await enterCode(username, auth.browser(), first))).toContain('already used');

    const renewing = auth.browser();
    const page = await enterCode(username, renewing, second);
    const newKey = keyIn(page);
    const shown = await renewing.submit(page, { code: codeOf(newKey) });
    const fresh = recoveryCodesIn(shown);
    expect(fresh).not.toContain(codes[2]);
    for (const code of [codes[2] ?? '', codeOf(key)])
      expect(alertOf(await enterCode(username, auth.browser(), code))).toContain('is wrong');
    expect(titleOf(await enterCode(username, auth.browser(), fresh[0] ?? ''))).toBe('Protect your account');
  });

  it('can be a passkey, which from then on signs in by itself', async () => {
    const username = await addStaff();
    const browser = auth.browser();
    const { passkey, page: shown } = await addPasskey(browser, await enter(username, browser));
    const [code = ''] = recoveryCodesIn(shown);
    expect(await amrAfter(await browser.open(nextOf(shown)))).toEqual(['pwd', 'pop', 'mfa']);
    const other = auth.browser();
    expect(await amrAfter(await enterPasskey(other, await other.begin(client), passkey))).toEqual(['pop']);
    // The password leads to the page that asks for it.
    const asked = await enter(username, auth.browser());
    expect(titleOf(asked)).toBe('Confirm that it is you');
    expect(asked.text).toContain('data-passkey="get"');
    const recovering = auth.browser();
    const page = await enter(username, recovering);
    const { csrf = '', proof = '' } = formOf(page).fields;
    const recovered = await recovering.post(`${formOf(page).action}/factor`, { csrf, proof, code });
    expect(titleOf(recovered)).toBe('Protect your account');
  });

  it('is reset by a command, whose code is needed beside the password', async () => {
    const { username, key, codes, end, browser } = await withApp();
    const exchanged = destination(end).searchParams.get('code') ?? '';
    const tokens = await auth.token({ ...client, grant_type: 'authorization_code', code: exchanged });
    const { refresh_token } = tokens.body as { refresh_token: string };
    const { body } = await auth.internal('/internal/staff/factor/reset', { username }).expect(200);
    const { code } = body as { code: string };
    await auth.token({ ...client, grant_type: 'refresh_token', refresh_token }).expect(400);
    expect((await browser.begin(client)).status).toBe(200);
    await nextStep(async (now) => {
      for (const old of [codeOf(key, now), codes[0] ?? ''])
        expect(alertOf(await enterCode(username, auth.browser(), old))).toContain('is wrong');
    });
    const finder = auth.browser();
    const page = await enterCode(username, finder, code);
    const { csrf = '', proof = '', ...rest } = formOf(page).fields;
    const skipped = await finder.post(formOf(page).action, { csrf, proof, skip: 'yes' });
    expect([skipped.get('Location'), rest['enrollment']]).toEqual([undefined, expect.any(String)]);
    const shown = await finder.submit(page, { code: codeOf(keyIn(page)) });
    expect(await amrAfter(await finder.open(nextOf(shown)))).toEqual(['pwd', 'otp', 'mfa']);
    await auth.internal('/internal/staff/factor/reset', { username: 'nobody' }).expect(404);
  });

  it('uses up a recovery code with the new factor, and never with a page that is closed', async () => {
    const { username } = await withApp();
    const { body } = await auth.internal('/internal/staff/factor/reset', { username }).expect(200);
    const { code } = body as { code: string };
    const [closed, browser] = [auth.browser(), auth.browser()];
    const left = await enterCode(username, closed, code);
    const asked = await enter(username, auth.browser());
    expect(titleOf(asked)).toBe('Confirm that it is you');
    expect(formOf(asked).fields).not.toHaveProperty('enrollment');
    const page = await enterCode(username, browser, code);
    expect(recoveryCodesIn(await browser.submit(page, { code: codeOf(keyIn(page)) }))).toHaveLength(8);
    const late = await closed.submit(left, { code: codeOf(keyIn(left)) });
    expect(late.text).not.toContain('class="codes"');
    expect(alertOf(await enterCode(username, auth.browser(), code))).toContain('is wrong');
  });

  it('replaces what a lost phone had after a recovery code, and ends its sign-ins', async () => {
    const { username, codes, browser: phone } = await withApp();
    const laptop = auth.browser();
    const { passkey, page } = await addPasskey(laptop, await enterCode(username, laptop, codes[0] ?? ''));
    expect(await accountOf(username)).not.toHaveProperty('totp');
    expect(destination(await laptop.open(nextOf(page))).searchParams.get('code')).toBeTruthy();
    expect(destination(await laptop.begin(client)).searchParams.get('code')).toBeTruthy();
    expect((await phone.begin(client)).get('Location')).toBeUndefined();
    const renewing = auth.browser();
    const asked = await enter(username, renewing);
    const { csrf = '', proof = '' } = formOf(asked).fields;
    const [code = ''] = recoveryCodesIn(page);
    const offered = await renewing.post(`${formOf(asked).action}/factor`, { csrf, proof, code });
    await renewing.submit(offered, { code: codeOf(keyIn(offered)) });
    expect(await accountOf(username)).not.toHaveProperty('passkeys');
    const thief = auth.browser();
    const refused = await enterPasskey(thief, await thief.begin(client), passkey);
    expect(refused.get('Location')).toBeUndefined();
  });

  it('is asked for in a session from before it was required', async () => {
    const { browser } = await withApp();
    expect((await browser.begin(client)).get('Location')).toContain('code=');
    const { redis, config } = auth.context;
    for (const key of await redis.keys(`${config.NAMESPACE}:auth:Session:*`)) {
      const { payload = '' } = await redis.hgetall(key);
      await redis.hset(key, 'payload', payload.replace('"otp"', '"pwd"'));
    }
    expect((await browser.begin(client)).get('Location')).toBeUndefined();
  });
});

describe('the second factor of staff where it is optional', () => {
  it('is asked for where an account has one, and not set up otherwise', async () => {
    const auth = await startService('second-factor-optional');
    try {
      const client = await auth.createClient({ staff: true });
      const username = 'grace';
      await auth.internal('/internal/staff/create', { username, password, roles: {} }).expect(200);
      const enter = async () => {
        const browser = auth.browser();
        return browser.submit(await browser.begin(client), { login: username, password });
      };
      expect(destination(await enter()).searchParams.get('code')).toBeTruthy();
      await auth.internal('/internal/staff/factor/reset', { username }).expect(200);
      expect(titleOf(await enter())).toBe('Confirm that it is you');
    } finally {
      await auth.close();
    }
  });
});
