import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, enterPasskey } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';

const day = 24 * 3_600_000;
const asked = 'Your email is about to change';

const now = () => Math.floor(Date.now() / 1000);
const emailPage = async (browser: Browser) => (await browser.open('/account/email')).text;

describe('who reads the former mailbox of a member', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('formermailbox');
  });
  afterAll(() => auth.close());

  const withPasskey = async () => {
    const member = await auth.addMember();
    const earlier = auth.browser();
    const { passkey } = await auth.later(-8 * day, async () => {
      await earlier.signIn(auth.client, member);
      return addPasskey(earlier, await earlier.open('/account/passkeys'));
    });
    return { member, passkey };
  };
  const change = ({ member_id }: TestMember, email: string, methods: readonly string[], ago = 0) =>
    auth
      .internal('/internal/accounts/change-email', {
        member_id,
        email,
        sign_in: { methods, at: now() - ago },
      })
      .expect(200);
  const confirm = async (email: string) => {
    const browser = auth.browser();
    const { path } = await auth.mailbox.wait(email, 'Please confirm your new email');
    expect((await browser.submit(await browser.open(path), {})).text).toContain('Your email is confirmed');
  };
  const guardsOf = async ({ member_id }: TestMember) =>
    ((await auth.context.accounts.find(member_id))?.protected_emails ?? []).map(({ email }) => email);

  it('can undo nothing and gets no password, once its owner changes the address with a settled passkey', async () => {
    const { member, passkey } = await withPasskey();
    const [second, third] = [`second-${member.email}`, `third-${member.email}`];
    await change(member, second, ['pwd']);
    await confirm(second);
    const { path: undo } = await auth.mailbox.wait(member.email, asked);
    const owner = auth.browser();
    const signIn = await owner.begin(auth.client, { siteid: '1' });
    expect((await enterPasskey(owner, signIn, passkey)).get('Location')).toContain('code=');
    expect(await emailPage(owner)).toContain(`whoever reads ${member.email} can undo the last change`);
    await change(member, third, ['pop']);
    const notice = await auth.mailbox.wait(second, asked);
    expect([notice.path, notice.text]).toEqual(['', expect.stringContaining('with your passkey')]);
    await confirm(third);
    expect(await guardsOf(member)).toEqual([]);
    expect((await auth.browser().open(undo)).status).toBe(400);
    const reader = auth.browser();
    const { action } = formOf(await reader.begin(auth.client, { siteid: '1' }));
    await reader.submit(await reader.open(`${action}/forgotten`), { login: member.username });
    await auth.mailbox.wait(third, 'Get back into your account');
    for (const email of [member.email, second]) {
      const subjects = (await auth.mailbox.to(email)).map(({ subject }) => subject);
      expect(subjects).not.toContain('Get back into your account');
    }
  });

  it.each<[string, readonly string[], number, boolean]>([
    ['by password', ['pwd'], 0, false],
    ['by passkey long ago', ['pop'], 700, false],
    ['by passkey while one is new, which may be a thief’s', ['pop'], 0, true],
  ])('can undo the change of who signed in %s', async (_how, methods, ago, hasNew) => {
    const { member } = await withPasskey();
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    if (hasNew) await addPasskey(browser, await browser.open('/account/passkeys'));
    const email = `new-${member.email}`;
    await change(member, email, methods, ago);
    await confirm(email);
    expect(await guardsOf(member)).toEqual([member.email]);
  });
});
