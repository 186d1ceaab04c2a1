import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthenticatorLies } from '@covalence/testing/software-authenticator';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsTo } from '../../support/alerts.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, authenticator, enterPasskey, optionsOf } from '../../support/passkeys.ts';
import { linksOf, storeLink } from '../../support/providers.ts';
import type { TestMember } from '../../support/people.ts';

const path = '/account/passkeys';
const notice = 'A passkey was added to your account';

describe('passkeys on the page of the account', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('passkeypage');
  });
  afterAll(() => auth.close());

  const signedIn = async (member: TestMember, userAgent?: string): Promise<Browser> => {
    const browser = auth.browser(undefined, userAgent);
    await browser.signIn(auth.client, member);
    return browser;
  };
  const passkeysOf = async ({ member_id }: TestMember) =>
    (await auth.context.accounts.find(member_id))?.passkeys ?? [];
  const isSignedIn = async (browser: Browser) =>
    (await browser.begin(auth.client)).get('Location') !== undefined;

  it('adds passkeys that are discoverable, verify the member and need no attestation', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    const options = JSON.parse(optionsOf(await browser.open(path))) as {
      user: { id: string };
      [name: string]: unknown;
    };
    expect(options).toMatchObject({
      rp: { id: 'auth.test', name: 'Heartland Singles' },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    const { passkey } = await addPasskey(browser, await browser.open(path));
    const next = JSON.parse(optionsOf(await browser.open(path))) as { user: object };
    // One user id for all: authenticators would otherwise keep them as different accounts.
    expect(next).toMatchObject({
      user: { id: passkey.userHandle },
      excludeCredentials: [{ id: passkey.id }],
    });
  });

  it('needs a recent sign-in, and leads to it and back', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    const { passkey, page } = await addPasskey(browser, await browser.open(path));
    await auth.later(11 * 60_000, async () => {
      const asked = await browser.submit(page, { action: 'remove', id: passkey.id });
      expect(formOf(asked).fields).toHaveProperty('password');
      expect(await passkeysOf(member)).toHaveLength(1);
      const back = destination(await enterPasskey(browser, asked, passkey));
      expect(back.pathname).toBe(path);
      const shown = await browser.open(back.pathname + back.search);
      await browser.submit(shown, { action: 'remove', id: passkey.id });
    });
    expect(await passkeysOf(member)).toEqual([]);
  });

  it('names, shows and removes them, and a removed one does not sign in', async () => {
    const member = await auth.addMember();
    const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
    const browser = await signedIn(member, firefox);
    const { passkey, page } = await addPasskey(browser, await browser.open(path));
    const kept = await addPasskey(browser, page);
    const name = '<b>Nora\'s "phone"</b>';
    const named = await browser.submit(kept.page, { action: 'rename', id: passkey.id, name });
    expect(named.text).toContain('&lt;b&gt;Nora&#39;s &quot;phone&quot;&lt;/b&gt;');
    for (const bad of ['', ' ', 'x'.repeat(51), 'a\u0000b', 'a\u202eb'])
      expect((await browser.submit(named, { action: 'rename', id: passkey.id, name: bad })).text).toContain(
        'This entry is not valid.',
      );
    const subject = { member_id: member.member_id, id: member.id };
    const { body, text } = await auth.internal('/internal/members/export', subject).expect(200);
    expect(body).toMatchObject({
      account: { passkeys: [{ name, last_used_at: null }, { name: 'Firefox, macOS' }] },
    });
    expect(text).not.toMatch(/public_key|passkey_user/);
    const removed = await browser.submit(named, { action: 'remove', id: passkey.id });
    expect(removed.text).not.toContain(passkey.id);
    const alerts = await alertsTo(auth, member);
    expect(alerts.filter((one) => one === 'credential')).toHaveLength(3);
    expect(await passkeysOf(member)).toMatchObject([{ id: kept.passkey.id }]);
    const other = auth.browser();
    const refused = await enterPasskey(other, await other.begin(auth.client), passkey);
    expect(refused.text).toContain('does not sign in here');
  });

  it.each<[string, AuthenticatorLies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['a member who was not verified', { isUnverified: true }],
  ])('refuses a new passkey for %s', async (_what, lies) => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    const { page } = await addPasskey(browser, await browser.open(path), lies);
    expect(page.text).toContain('The passkey was not added');
    expect(await passkeysOf(member)).toEqual([]);
  });

  it('takes a challenge once, and none of another browser or form', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const [browser, stranger] = [await signedIn(member), await signedIn(other)];
    const page = await browser.open(path);
    const first = authenticator.create(optionsOf(page)).answer;
    const { challenge = '' } = formOf(page).fields;
    const shown = await stranger.open(path);
    await stranger.submit(shown, { action: 'add', credential: first, challenge });
    expect(await passkeysOf(other)).toEqual([]);
    await browser.submit(page, { action: 'add', credential: first });
    const second = authenticator.create(optionsOf(page)).answer;
    await browser.submit(page, { action: 'add', credential: second });
    // The same answer once more, as after a lost response, changes nothing.
    await browser.submit(page, { action: 'add', credential: first });
    expect(await passkeysOf(member)).toHaveLength(1);
    const forged = await browser.submit(page, { action: 'remove', id: 'x', csrf: 'forged' });
    expect(forged.status).toBe(403);
  });

  it('refuses the passkey of another account, and more than ten', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const [browser, thief] = [await signedIn(member), await signedIn(other)];
    const { passkey, page } = await addPasskey(browser, await browser.open(path));
    await addPasskey(thief, await thief.open(path), { id: passkey.id });
    expect(await passkeysOf(other)).toEqual([]);
    let last = page;
    for (let more = 2; more <= 10; more += 1) ({ page: last } = await addPasskey(browser, last));
    expect(last.text).toContain('as many passkeys as possible');
    const credential = authenticator.create(optionsOf(page)).answer;
    const { challenge = '' } = formOf(page).fields;
    await browser.submit(last, { action: 'add', credential, challenge });
    expect(await passkeysOf(member)).toHaveLength(10);
  });

  it('refuses a flood of notices, by which somebody would hide one', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    let page = await browser.open(path);
    for (let turn = 0; turn < 11; turn += 1) {
      const added = await addPasskey(browser, page);
      page = await browser.submit(added.page, { action: 'remove', id: added.passkey.id });
    }
    const last = await addPasskey(browser, page);
    expect(last.page.text).toContain('The passkey was not added');
    expect(await passkeysOf(member)).toEqual([]);
    await auth.context.afterResponse.drained();
    const mails = await auth.mailbox.to(member.email);
    expect(mails.filter(({ subject }) => subject === notice)).toHaveLength(10);
  });

  it('tells the owner by mail, who removes it and signs everybody out', async () => {
    const member = await auth.addMember();
    const partner = await signedIn(member);
    const { passkey } = await addPasskey(partner, await partner.open(path));
    const mail = await auth.mailbox.wait(member.email, notice);
    expect(await alertsTo(auth, member)).toContain('credential');
    const owner = auth.browser();
    const asked = await owner.open(mail.path);
    expect(await passkeysOf(member)).toHaveLength(1);
    const done = await owner.submit(asked, {});
    expect(done.text).toContain('The passkey is removed');
    const alerts = await alertsTo(auth, member);
    expect(alerts.filter((one) => one === 'credential')).toHaveLength(2);
    expect([await passkeysOf(member), await isSignedIn(partner)]).toEqual([[], false]);
    const thief = auth.browser();
    const refused = await enterPasskey(thief, await thief.begin(auth.client), passkey);
    expect(refused.get('Location')).toBeUndefined();
    // Opened again later, the link signs nobody out.
    const again = await auth.later(2_000, () => signedIn(member));
    await owner.submit(asked, {});
    expect(await isSignedIn(again)).toBe(true);
    const late = await auth.later(8 * 24 * 60 * 60_000, () => owner.open(mail.path));
    expect(late.status).toBe(400);
  });

  it('that a thief removes in time are told, and the link still signs everybody out, once', async () => {
    const member = await auth.addMember();
    const thief = await signedIn(member);
    const { passkey, page } = await addPasskey(thief, await thief.open(path));
    await thief.submit(page, { action: 'remove', id: passkey.id });
    const mail = await auth.mailbox.wait(member.email, notice);
    const owner = auth.browser();
    const asked = await owner.open(mail.path);
    await owner.submit(asked, {});
    expect(await isSignedIn(thief)).toBe(false);
    const again = await auth.later(2_000, () => signedIn(member));
    await owner.submit(asked, {});
    expect(await isSignedIn(again)).toBe(true);
  });

  it('cannot be removed when nothing else signs the member in', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    const { passkey, page } = await addPasskey(browser, await browser.open(path));
    const account = await auth.context.accounts.find(member.member_id);
    await auth.context.connection
      .collection('accounts')
      .updateOne({ username: member.username }, { $unset: { password_hash: 1 } });
    expect(account?.passkeys).toHaveLength(1);
    const refused = await browser.submit(page, { action: 'remove', id: passkey.id });
    expect(refused.text).toContain('This is the only way into your account.');
    expect(await passkeysOf(member)).toMatchObject([{ id: passkey.id }]);
  });

  it('end with a new password on request, with every account at a provider', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    await addPasskey(browser, await browser.open(path));
    await storeLink(auth, member, member.member_id);
    const form = await browser.open('/account/password');
    const entries = { current: member.password, password: 'quiet-meadow-78', others: 'end' };
    expect((await browser.submit(form, entries)).text).toContain('Your password was changed');
    expect(await passkeysOf(member)).toEqual([]);
    expect(await linksOf(auth, member.member_id)).toEqual([]);
  });

  it('stay when the member changes the password, and end with a new one by mail', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    const { passkey } = await addPasskey(browser, await browser.open(path));
    const form = await browser.open('/account/password');
    await browser.submit(form, { current: member.password, password: 'quiet-meadow-81' });
    const other = auth.browser();
    const entered = await enterPasskey(other, await other.begin(auth.client), passkey);
    expect(entered.get('Location')).toContain('code=');
    const thief = auth.browser();
    const forgotten = /<a href="([^"]+\/forgotten)"/.exec((await thief.begin(auth.client)).text)?.[1] ?? '';
    await thief.submit(await thief.open(forgotten), { login: member.username });
    const mail = await auth.mailbox.wait(member.email, 'Choose a new password');
    await thief.submit(await thief.open(mail.path), { password: 'amber-lantern-72' });
    expect(await passkeysOf(member)).toEqual([]);
  });

  it('leads to the sign-in without a session', async () => {
    expect(formOf(await auth.browser().open(path)).fields).toHaveProperty('password');
  });
});
