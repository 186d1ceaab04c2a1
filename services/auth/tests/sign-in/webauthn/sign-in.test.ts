import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AuthenticatorLies, SoftwarePasskey } from '@covalence/testing/software-authenticator';
import { decodeJwt } from 'jose';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, authenticator, enterPasskey, optionsOf } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';

const path = '/account/passkeys';

describe('sign-in by passkey', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('passkeys', {
      environment: {
        LOGIN_FAILURES_PER_ADDRESS: '4',
        LOGIN_FAILURES_PER_ACCOUNT: '2',
        LOGIN_FAILURES_PER_DEVICE: '3',
      },
    });
  });
  afterAll(() => auth.close());

  /** A member who has added a passkey. */
  const withPasskey = async (
    member?: TestMember,
  ): Promise<{ member: TestMember; passkey: SoftwarePasskey; browser: Browser }> => {
    const owner = member ?? (await auth.addMember());
    const browser = auth.browser();
    await browser.signIn(auth.client, owner);
    const { passkey } = await addPasskey(browser, await browser.open(path));
    return { member: owner, passkey, browser };
  };
  const begin = (browser: Browser, parameters: Record<string, string> = { siteid: '1' }) =>
    browser.begin(auth.client, parameters);
  const codeOf = (page: Awaited<ReturnType<typeof begin>>) =>
    page.get('Location') === undefined ? undefined : destination(page).searchParams.get('code');
  const enter = async (passkey: SoftwarePasskey, lies?: AuthenticatorLies, browser = auth.browser()) =>
    enterPasskey(browser, await begin(browser), passkey, lies);

  it('needs no username, verifies the member, and says so in the token', async () => {
    const { member, passkey } = await withPasskey();
    const browser = auth.browser();
    const page = await begin(browser);
    expect(page.text).toContain('autocomplete="username webauthn"');
    const options = JSON.parse(optionsOf(page)) as object;
    expect(options).toMatchObject({ rpId: 'auth.test', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const code = codeOf(await enterPasskey(browser, page, passkey)) ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const claims = decodeJwt((body as { access_token: string }).access_token);
    expect(claims).toMatchObject({ sub: member.member_id, amr: ['pop'] });
    const account = await auth.context.accounts.find(member.member_id);
    expect(account?.passkeys?.[0]?.last_used_at).toBeInstanceOf(Date);
    expect(passkey.userHandle).not.toContain(member.member_id);
  });

  it.each<[string, AuthenticatorLies]>([
    ['another origin', { origin: 'https://auth.test.evil.example' }],
    ['the origin of an app that is not registered', { origin: 'android:apk-key-hash:abc' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['a member who was not verified', { isUnverified: true }],
    ['another key', { isForged: true }],
    ['an authenticator of another kind', { isDeviceBound: true }],
    ['another member', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['an unknown passkey', { id: 'AAAA' }],
  ])('refuses the answer for %s', async (_what, lies) => {
    const { passkey } = await withPasskey();
    const refused = await enter(passkey, lies);
    expect(refused.status).toBe(200);
    expect(refused.text).toContain('This passkey does not sign in here');
  });

  it('refuses and records a counter that went backwards, and accepts one that grows', async () => {
    const record = jest.spyOn(auth.context.security, 'record');
    const { member, passkey } = await withPasskey();
    expect(codeOf(await enter(passkey, { counter: 7 }))).toBeTruthy();
    for (const counter of [7, 6, 0]) expect(codeOf(await enter(passkey, { counter }))).toBeUndefined();
    const copied = record.mock.calls.filter(([name]) => name === 'passkey_copied');
    expect(copied.map(([, { member: who }]) => who)).toEqual(Array(3).fill(member.member_id));
    expect(codeOf(await enter(passkey, { counter: 8 }))).toBeTruthy();
    record.mockRestore();
  });

  it('takes a challenge once, from the browser and sign-in that it was made for, and not late', async () => {
    const { passkey } = await withPasskey();
    const [here, there] = [auth.browser(), auth.browser()];
    const [page, other] = [await begin(here), await begin(there)];
    const credential = authenticator.get(optionsOf(page), passkey);
    const { challenge = '' } = formOf(page).fields;
    const stolen = await there.submit(other, { credential, challenge });
    expect(stolen.text).toContain('open for too long');
    const late = await auth.later(16 * 60_000, () => here.submit(page, { credential }));
    expect(codeOf(late)).toBeUndefined();
    expect(codeOf(await here.submit(page, { credential }))).toBeTruthy();
    const again = await begin(here, { prompt: 'login' });
    const replayed = await here.submit(again, { credential, challenge });
    expect(codeOf(replayed)).toBeUndefined();
  });

  it('uses up a challenge with the first of two submissions', async () => {
    const { passkey } = await withPasskey();
    const browser = auth.browser();
    const page = await begin(browser);
    const credential = authenticator.get(optionsOf(page), passkey);
    const both = await Promise.all([1, 2].map(() => browser.submit(page, { credential })));
    expect(both.filter((one) => codeOf(one)).length).toBe(1);
  });

  it('renews the sign-in for prompt=login and max_age', async () => {
    const { passkey, browser } = await withPasskey();
    const fresh: Record<string, string>[] = [{ prompt: 'login' }, { max_age: '0' }];
    for (const parameters of fresh) {
      const page = await begin(browser, parameters);
      expect(codeOf(await enterPasskey(browser, page, passkey))).toBeTruthy();
    }
  });

  it('refuses passkeys of another site, and on the page for staff', async () => {
    const { passkey } = await withPasskey();
    const browser = auth.browser();
    const elsewhere = await begin(browser, { siteid: '2' });
    expect((await enterPasskey(browser, elsewhere, passkey)).text).toContain('does not sign in here');
    const staff = await auth.createClient({ staff: true });
    const refused = await enterPasskey(browser, await browser.begin(staff), passkey);
    expect(codeOf(refused)).toBeUndefined();
    expect(refused.text).toContain('does not sign in here');
  });

  it('treats suspended, deleted and deactivated members as a password does', async () => {
    const [suspended, deleted, deactivated] = [await withPasskey(), await withPasskey(), await withPasskey()];
    const stateOf = ({ member }: { member: TestMember }) => auth.profile.members.get(member.member_id);
    Object.assign(stateOf(suspended) ?? {}, { suspended: true });
    Object.assign(stateOf(deactivated) ?? {}, { deactivated: true });
    auth.profile.members.delete(deleted.member.member_id);
    expect((await enter(suspended.passkey)).status).toBe(403);
    expect(codeOf(await enter(deleted.passkey))).toBeUndefined();
    const browser = auth.browser();
    const asked = await enterPasskey(browser, await begin(browser), deactivated.passkey);
    expect(asked.text).toContain('Reactivate your profile');
    const other = await withPasskey();
    const wrong = await enterPasskey(browser, asked, other.passkey);
    expect([codeOf(wrong), stateOf(deactivated)?.deactivated]).toEqual([undefined, true]);
    expect(codeOf(await enterPasskey(browser, wrong, deactivated.passkey))).toBeTruthy();
    expect(stateOf(deactivated)?.deactivated).toBe(false);
  });

  it('limits failures by address, and is not blocked by wrong passwords of strangers', async () => {
    const { member, passkey, browser } = await withPasskey();
    for (let turn = 0; turn < 6; turn += 1)
      await browser.submit(await begin(browser, { prompt: 'login' }), {
        login: member.username,
        password: 'guess',
      });
    expect(
      codeOf(await enterPasskey(browser, await begin(browser, { prompt: 'login' }), passkey)),
    ).toBeTruthy();
    const guesser = auth.browser('10.9.9.1');
    for (let turn = 0; turn < 3; turn += 1)
      await guesser.submit(await begin(guesser), { login: member.username, password: 'guess' });
    const stranger = auth.browser('10.9.9.2');
    expect(
      (await stranger.submit(await begin(stranger), { login: member.username, password: 'x' })).status,
    ).toBe(429);
    const owner = auth.browser('10.9.9.3');
    expect(codeOf(await enterPasskey(owner, await begin(owner), passkey))).toBeTruthy();
    const thief = auth.browser('10.9.9.4');
    for (let turn = 0; turn < 4; turn += 1)
      await enterPasskey(thief, await begin(thief), passkey, { isForged: true });
    const limited = await enterPasskey(thief, await begin(thief), passkey);
    expect([limited.status, limited.get('Retry-After') !== undefined]).toEqual([429, true]);
  });

  it('is 503 while Redis or profile is down, and works when it is back', async () => {
    const { passkey } = await withPasskey();
    const browser = auth.browser();
    const page = await begin(browser);
    auth.profile.away = true;
    const away = await enterPasskey(browser, page, passkey);
    auth.profile.away = false;
    expect(away.status).toBe(503);
    expect(codeOf(await enterPasskey(browser, await begin(browser), passkey))).toBeTruthy();
  });

  it('refuses what is not an answer of an authenticator', async () => {
    for (const credential of ['x', '{}', '[]', 'null', `"${'x'.repeat(20_000)}"`, '{"id":{"$ne":1}}']) {
      // Each from an address of its own, whose failures are not limited yet.
      const browser = auth.browser();
      const refused = await browser.submit(await begin(browser), { credential });
      expect([credential.slice(0, 5), refused.status, codeOf(refused)]).toEqual([
        credential.slice(0, 5),
        200,
        undefined,
      ]);
    }
  });
});
