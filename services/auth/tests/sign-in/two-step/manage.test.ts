import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring } from '../../support/alerts.ts';
import { formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, enterPasskey } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';
import {
  alertOf,
  codeOf,
  keyIn,
  nextOf,
  recoveryCodesIn,
  titleOf,
  turnOn,
  wrongCodeOf,
} from '../../support/second-factor.ts';

const path = '/account/two-step';
const [minute, day] = [60_000, 24 * 3_600_000];

/** Sends a form of the page with its CSRF token. */
const send = async (browser: Browser, fields: Record<string, string>) =>
  browser.post(path, { csrf: formOf(await browser.open(path)).fields['csrf'] ?? '', ...fields });

describe('the page of two-step sign-in', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('managetwostep');
  });
  afterAll(() => auth.close());

  const signedIn = async (member?: TestMember) => {
    const who = member ?? (await auth.addMember());
    const browser = auth.browser();
    await browser.signIn(auth.client, who);
    return { member: who, browser };
  };
  const accountOf = ({ member_id }: TestMember) => auth.context.accounts.find(member_id);
  const nextStep = <Result>(work: (now: number) => Promise<Result>) =>
    auth.later(minute, () => work(Date.now() + minute));

  it('turns it on with the first code of an app, and shows recovery codes once', async () => {
    const { member, browser } = await signedIn();
    expect((await browser.open('/account')).text).toContain(`href="${path}"`);
    const page = await browser.open(path);
    const key = keyIn(page);
    const wrong = await browser.submit(page, { code: wrongCodeOf(key) });
    expect([alertOf(wrong), keyIn(wrong)]).toEqual([expect.stringContaining('is wrong'), key]);
    expect(await accountOf(member)).not.toHaveProperty('totp');
    const told = await alertsDuring(auth, member, async () => {
      const shown = await browser.submit(wrong, { code: codeOf(key) });
      expect([recoveryCodesIn(shown).length, nextOf(shown)]).toEqual([8, path]);
    });
    expect(told).toEqual(['two_step true']);
    await auth.mailbox.wait(member.email, 'Two-step sign-in was set up');
    const after = await browser.open(path);
    expect(after.text).toContain('Recovery codes left: 8');
    expect(recoveryCodesIn(after)).toEqual([]);
    const stored = JSON.stringify(
      await auth.context.connection.collection('accounts').findOne({ username: member.username }),
    );
    expect(stored).not.toContain(key);
    const { body } = await auth.internal('/internal/members/export', {
      member_id: member.member_id,
      id: member.id,
    });
    expect((body as { account: object }).account).toMatchObject({
      two_step: { since: expect.any(String), recovery_codes_left: 8 },
    });
    expect(JSON.stringify(body)).not.toContain(key);
  });

  it('turns it off, or makes new recovery codes, with a code only', async () => {
    const { member, browser } = await signedIn();
    const { key, code, codes } = await turnOn(browser);
    for (const action of ['off', 'codes'])
      expect(alertOf(await send(browser, { action, code: wrongCodeOf(key) }))).toContain('is wrong');
    expect(alertOf(await send(browser, { action: 'off', code }))).toContain('already used');
    await nextStep(async (now) => {
      const shown = await send(browser, { action: 'codes', code: codeOf(key, now) });
      const fresh = recoveryCodesIn(shown);
      expect([fresh.length, fresh.some((code) => codes.includes(code))]).toEqual([8, false]);
      await auth.mailbox.wait(member.email, 'You have new recovery codes');
      expect(alertOf(await send(browser, { action: 'off', code: codes[0] ?? '' }))).toContain('is wrong');
      await send(browser, { action: 'off', code: fresh[0] ?? '' });
    });
    await auth.mailbox.wait(member.email, 'Two-step sign-in was turned off');
    const account = await accountOf(member);
    expect([account?.totp, account?.recovery_codes]).toEqual([undefined, undefined]);
    expect((await signedIn(member)).browser).toBeDefined();
  });

  it('needs no code after a sign-in with a passkey, so that a lost phone locks nobody out', async () => {
    const { member, browser } = await signedIn();
    const { passkey } = await addPasskey(browser, await browser.open('/account/passkeys'));
    await turnOn(browser);
    const other = auth.browser();
    await enterPasskey(other, await other.begin(auth.client, { siteid: '1' }), passkey);
    expect((await other.open(path)).text).toContain('no code is needed');
    await send(other, { action: 'off' });
    expect(await accountOf(member)).not.toHaveProperty('totp');
  });

  it('limits wrong codes as the sign-in does', async () => {
    const { browser } = await signedIn();
    const { key } = await turnOn(browser);
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push((await send(browser, { action: 'off', code: wrongCodeOf(key) })).status);
    expect([statuses.at(19), statuses.at(20)]).toEqual([200, 429]);
  });

  it('shows and changes nothing in an open browser whose sign-in is old, or with a form of elsewhere', async () => {
    const { member, browser } = await signedIn();
    const page = await browser.open(path);
    const key = keyIn(page);
    await auth.later(11 * minute, async () => {
      expect((await browser.open(path)).text).not.toContain('enrollment');
      const late = await browser.submit(page, { code: codeOf(key, Date.now() + 11 * minute) });
      expect(titleOf(late)).toBe('Sign in');
    });
    expect((await browser.submit(page, { csrf: 'x', code: codeOf(key) })).status).toBe(403);
    const { browser: other } = await signedIn();
    const { csrf = '' } = formOf(await other.open(path)).fields;
    const { enrollment = '' } = formOf(page).fields;
    await other.post(path, { csrf, action: 'on', enrollment, code: codeOf(key) });
    expect(await accountOf(member)).not.toHaveProperty('totp');
    expect(alertOf(await other.post(path, { csrf, action: 'on', enrollment, code: codeOf(key) }))).toContain(
      'too long',
    );
  });

  it('is undone by the link of its notice within a week, which signs everybody out', async () => {
    const { member, browser: thief } = await signedIn();
    await turnOn(thief);
    const { path: link } = await auth.mailbox.wait(member.email, 'Two-step sign-in was set up');
    const owner = auth.browser();
    const asked = await owner.open(link);
    expect(await accountOf(member)).toHaveProperty('totp');
    const { revocations } = auth.context.tokens;
    const original = { ...revocations };
    const order: string[] = [];
    revocations.alertSockets = (id, update) => {
      order.push(update.type);
      return original.alertSockets(id, update);
    };
    revocations.revokeFamilies = (families) => {
      order.push('sockets closed');
      return original.revokeFamilies(families);
    };
    for (const _again of [1, 2])
      expect(titleOf(await owner.submit(asked, {}))).toBe('Two-step sign-in is off');
    await auth.context.afterResponse.drained();
    Object.assign(revocations, original);
    expect(order).toEqual(['two_step', 'sockets closed', 'sockets closed']);
    const account = await accountOf(member);
    expect([account?.totp, account?.recovery_codes]).toEqual([undefined, undefined]);
    expect((await thief.open('/account')).text).toContain('name="login"');
    // The link belongs to that app, and to no later one.
    await auth.later(2_000, async () => {
      const { browser } = await signedIn(member);
      const page = await browser.open(path);
      await browser.submit(page, { code: codeOf(keyIn(page), Date.now() + 2_000) });
    });
    await owner.submit(asked, {});
    expect(await accountOf(member)).toHaveProperty('totp');
    const { path: second } = await auth.mailbox.wait(member.email, 'Two-step sign-in was set up', 2);
    await auth.later(7 * day + minute, async () => {
      expect((await owner.open(second)).status).toBe(400);
    });
    expect((await owner.open('/two-step/forged')).status).toBe(400);
  });

  it('is kept by a change of the password on the page of the account', async () => {
    const { member, browser } = await signedIn();
    await turnOn(browser);
    const page = await browser.open('/account/password');
    const password = 'quiet-meadow-77';
    await browser.submit(page, { current: member.password, password });
    expect((await browser.open('/account')).text).toContain(member.email);
    expect(await accountOf(member)).toHaveProperty('totp');
  });

  it('is forgotten with the account', async () => {
    const { member, browser } = await signedIn();
    await turnOn(browser);
    await auth
      .internal('/internal/members/erase', { member_id: member.member_id, id: member.id })
      .expect(200);
    expect(await accountOf(member)).toBeUndefined();
  });
});
