import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { formOf, type Browser } from '../../support/browser.ts';
import { authenticator, enterPasskey, optionsOf } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';

describe('the offer of a passkey after a sign-in', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('passkeyoffer');
  });
  afterAll(() => auth.close());

  const enter = async (browser: Browser, { username, password }: TestMember, passkeys = 'yes') => {
    const page = await browser.begin(auth.client, { siteid: '1', prompt: 'login' });
    return browser.submit(page, { login: username, password, passkeys });
  };
  const passkeysOf = async ({ member_id }: TestMember) =>
    (await auth.context.accounts.find(member_id))?.passkeys ?? [];
  const offered = 'Sign in faster next time';

  it('is shown once per browser, adds a passkey and goes on', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await enter(browser, member);
    expect(page.text).toContain(offered);
    const { passkey, answer } = authenticator.create(optionsOf(page));
    const done = await browser.submit(page, { credential: answer });
    expect(done.get('Location')).toContain('code=');
    await auth.mailbox.wait(member.email, 'A passkey was added to your account');
    const other = auth.browser();
    const entered = await enterPasskey(other, await other.begin(auth.client), passkey);
    expect(entered.get('Location')).toContain('code=');
    const again = await enter(browser, await auth.addMember());
    expect(again.get('Location')).toContain('code=');
  });

  it('never blocks: it can be dismissed, and a refused passkey goes on too', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await enter(browser, member);
    const next = /<a href="([^"]+)">Not now/.exec(page.text)?.[1] ?? '';
    expect((await browser.open(next)).get('Location')).toContain('code=');
    const refusing = auth.browser();
    const shown = await enter(refusing, member);
    const { answer } = authenticator.create(optionsOf(shown), { origin: 'https://evil.example' });
    expect((await refusing.submit(shown, { credential: answer })).get('Location')).toContain('code=');
    expect(await passkeysOf(member)).toEqual([]);
  });

  it('is not shown without a device that can keep passkeys', async () => {
    const done = await enter(auth.browser(), await auth.addMember(), '');
    expect(done.get('Location')).toContain('code=');
  });

  it('adds nothing for another account, in another browser, or once the member was signed out', async () => {
    const [member, victim] = [await auth.addMember(), await auth.addMember()];
    const browser = auth.browser();
    const page = await enter(browser, member);
    const { answer } = authenticator.create(optionsOf(page));
    await browser.submit(page, { credential: answer, account: victim.member_id });
    expect(await passkeysOf(victim)).toEqual([]);
    const thief = auth.browser();
    const shown = await enter(thief, member);
    const stranger = auth.browser();
    const login = await stranger.begin(auth.client);
    const { answer: other } = authenticator.create(optionsOf(shown));
    const { challenge = '', account = '' } = formOf(shown).fields;
    const action = formOf(login).action;
    await stranger.submit(
      {
        ...login,
        text: login.text.replace(`action="${action}"`, `action="${action}/passkey"`),
      } as typeof login,
      { credential: other, challenge, account },
    );
    await auth.internal('/internal/sessions/end', { member_id: member.member_id }).expect(200);
    await thief.submit(shown, { credential: other });
    expect(await passkeysOf(member)).toEqual([]);
  });
});
