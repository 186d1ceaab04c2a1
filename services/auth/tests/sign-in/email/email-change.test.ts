import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { v7 } from 'uuid';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring, alertsTo } from '../../support/alerts.ts';
import { formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';
import { turnOn } from '../../support/second-factor.ts';

const asked = 'Your email is about to change';
const changed = 'Your email was changed';
const confirm = 'Please confirm your new email';
const choose = 'Choose a new password';
const day = 24 * 60 * 60 * 1000;
const newPassword = 'quiet-meadow-77';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe('a change of the email address', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('emailchange', { environment: { MAIL_REQUESTS_PER_ACCOUNT: '100' } });
  });
  afterAll(() => auth.close());

  const request = ({ member_id }: TestMember, email: string) =>
    auth.internal('/internal/accounts/change-email', { member_id, email });
  const press = async (path: string, fields: Record<string, string> = {}) => {
    const browser = auth.browser();
    return browser.submit(await browser.open(path), fields);
  };
  const emailsOf = async ({ member_id }: TestMember): Promise<object> => {
    const { body } = await auth.internal('/internal/accounts/emails', { member_id }).expect(200);
    const { email, pending_email } = body as { email: string; pending_email?: string };
    return { email, ...(pending_email !== undefined && { pending_email }) };
  };
  const mailTo = (email: string, subject: string, nth?: number) => auth.mailbox.wait(email, subject, nth);
  /** Asks for an address and opens its link. */
  const change = async (member: TestMember, email: string, nth?: number) => {
    await request(member, email).expect(200, {});
    const page = await press((await mailTo(email, confirm, nth)).path);
    expect(page.text).toContain('Your email is confirmed');
  };
  const pairOf = async (member: TestMember): Promise<Pair> => {
    const code = (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
    const form = { ...auth.client, grant_type: 'authorization_code', code };
    return (await auth.token(form).expect(200)).body as Pair;
  };
  const refresh = async ({ refresh_token }: Pair) =>
    (await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token })).status;
  const forget = async (login: string) => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
    const sent = await browser.submit(await browser.open(link), { login });
    await auth.context.afterResponse.drained();
    return sent.text.replace(/\/login\/[\w-]+/g, '/login/');
  };
  const resetsTo = async (email: string) =>
    (await auth.mailbox.to(email)).filter(({ subject }) => subject === choose).length;
  const canSignIn = async (member: TestMember, login: string, password = member.password) => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    return (await browser.submit(page, { login, password })).get('Location') !== undefined;
  };
  const register = (email: string) =>
    auth.internal('/internal/accounts/reserve', {
      member_id: v7(),
      id: 50_000,
      siteid: 1,
      username: `taker-${v7()}`,
      email,
      password: 'violet-harbour-42',
      password_minimum: 8,
    });

  it('is pending until its link is confirmed; until then the old address stays current', async () => {
    const member = await auth.addMember();
    const email = `new-${member.email}`;
    await request(member, email).expect(200, {});
    expect(await emailsOf(member)).toEqual({ email: member.email, pending_email: email });
    expect([await canSignIn(member, member.email), await canSignIn(member, email)]).toEqual([true, false]);
    const { path } = await mailTo(email, confirm);
    expect((await auth.browser().open(path)).text).toContain(`If you confirm, ${email} becomes the email`);
    expect(await emailsOf(member)).toHaveProperty('pending_email');
    expect((await press(path)).text).toContain('Your email is confirmed');
    expect(await emailsOf(member)).toEqual({ email });
    expect([await canSignIn(member, member.email), await canSignIn(member, email)]).toEqual([false, true]);
    expect((await press(path)).status).toBe(200);
  });

  it('notifies the former address at once, with a revert link, and again when it is applied', async () => {
    const member = await auth.addMember();
    const email = `told-${member.email}`;
    await request(member, email).expect(200);
    const mail = await mailTo(member.email, asked);
    expect(mail.path).toMatch(/^\/email\/[\w-]+\/revert$/);
    expect(mail.text).toContain('within 7 days');
    expect(mail.text).not.toContain('ignore');
    expect(mail.text).not.toContain(email);
    await press((await mailTo(email, confirm)).path);
    expect((await mailTo(member.email, changed)).path).toMatch(/^\/email\/[\w-]+\/revert$/);
    expect(await alertsTo(auth, member)).toEqual(['email', 'email']);
  });

  it('sends no password links to the new address while the former one is protected', async () => {
    const member = await auth.addMember();
    const email = `thief-${member.email}`;
    await request(member, email).expect(200);
    const pages = [await forget(member.username), await forget(email), await forget(member.email)];
    await press((await mailTo(email, confirm)).path);
    pages.push(await forget(member.username), await forget(email), await forget(member.email));
    expect(new Set(pages).size).toBe(1);
    expect([await resetsTo(email), await resetsTo(member.email)]).toEqual([0, 6]);
    await auth.later(8 * day, () => forget(email));
    expect([await resetsTo(email), await resetsTo(member.email)]).toEqual([1, 6]);
  });

  it('stays after a password reset by the former address, and both addresses are notified', async () => {
    const member = await auth.addMember();
    const email = `kept-${member.email}`;
    await change(member, email);
    await forget(email);
    const page = await press((await mailTo(member.email, choose)).path, { password: newPassword });
    expect(page.text).toContain('Your password was changed');
    await mailTo(member.email, 'Your password was changed');
    await mailTo(email, 'Your password was changed');
    expect(await emailsOf(member)).toEqual({ email });
    expect(await canSignIn(member, email, newPassword)).toBe(true);
  });

  it.each(['while it waits', 'when it is in force'])(
    'is reverted %s: every sign-in ends, and the old password works no longer',
    async (when) => {
      const member = await auth.addMember();
      const email = `back-${member.email}`;
      await request(member, email).expect(200);
      if (when === 'when it is in force') await press((await mailTo(email, confirm)).path);
      const thief = await pairOf(member);
      const { path } = await mailTo(member.email, asked);
      const browser = auth.browser();
      const shown = await browser.open(path);
      expect(shown.text).toContain(`If you continue, the change is undone: ${member.email}`);
      expect(await refresh(thief)).toBe(200);
      const signedIn = await pairOf(member);

      const choice = await browser.submit(shown, {});
      expect(formOf(choice)).toMatchObject({ fields: { password: '' } });
      expect(choice.text).toContain('The change is undone, and everybody is signed out.');
      expect(await refresh(signedIn)).toBe(400);
      expect(await canSignIn(member, member.username)).toBe(false);
      expect(await emailsOf(member)).toEqual({ email: member.email });
      // An answer that was lost strands nobody.
      expect(formOf(await press(path))).toMatchObject({ fields: { password: '' } });

      const done = await browser.submit(choice, { password: newPassword });
      expect(done.text).toContain('Your password was changed');
      expect(await canSignIn(member, member.email, newPassword)).toBe(true);
      expect((await auth.browser().open(path)).status).toBe(400);
      expect((await auth.browser().open((await mailTo(email, confirm)).path)).status).toBe(400);
      await register(email).expect(200);
    },
  );

  it('cannot be restored by an attacker: the first link of a chain ends the others', async () => {
    const member = await auth.addMember();
    const [second, third] = [`second-${member.email}`, `third-${member.email}`];
    await change(member, second);
    await change(member, third);
    await forget(third);
    expect([await resetsTo(member.email), await resetsTo(second), await resetsTo(third)]).toEqual([1, 0, 0]);
    const { path: thiefs } = await mailTo(second, asked);
    const choice = await press((await mailTo(member.email, asked)).path);
    expect(formOf(choice).fields).toHaveProperty('password');
    expect(await emailsOf(member)).toEqual({ email: member.email });
    expect((await auth.browser().open(thiefs)).status).toBe(400);
    for (const email of [second, third]) await register(email).expect(200);
  });

  it('sends the password link to the oldest address when a newer one reverts', async () => {
    const member = await auth.addMember();
    const [second, third] = [`mine-${member.email}`, `more-${member.email}`];
    await change(member, second);
    await request(member, third).expect(200);
    const told = await alertsDuring(auth, member, async () => {
      const page = await press((await mailTo(second, asked)).path);
      expect(page.text).toContain('The change is undone');
      expect(page.text).not.toContain('type="password"');
    });
    expect(told).toEqual(['email', 'credential password removed']);
    expect([await resetsTo(member.email), await resetsTo(second)]).toEqual([1, 0]);
    expect(await emailsOf(member)).toEqual({ email: second });
  });

  it('tells both addresses what its reversion ends, once when the button is pressed twice', async () => {
    const member = await auth.addMember();
    const email = `moved-${member.email}`;
    await change(member, email);
    const owner = auth.browser();
    await owner.signIn(auth.client, member);
    await turnOn(owner);
    const { path } = await mailTo(member.email, asked);
    const record = jest.spyOn(auth.context.security, 'record');
    const reader = auth.browser();
    const pressed = await reader.open(path);
    const told = await alertsDuring(auth, member, () =>
      Promise.all([reader.submit(pressed, {}), reader.submit(pressed, {})]),
    );
    expect(told).toEqual(['email', 'credential password removed', 'two_step false']);
    const names = record.mock.calls.map(([name]) => name);
    record.mockRestore();
    expect(names.filter((name) => name === 'email_change_reverted')).toHaveLength(1);
    for (const to of [member.email, email]) {
      const notice = await mailTo(to, 'Your account was taken back with an emailed link');
      expect([notice.path, notice.text]).toEqual(['', expect.stringContaining('contact customer service')]);
      await mailTo(to, 'Two-step sign-in was turned off');
      const subjects = (await auth.mailbox.to(to)).map(({ subject }) => subject);
      expect(subjects.filter((one) => one === notice.subject)).toHaveLength(1);
    }
  });

  it('is replaced by the next request, and withdrawn by a request for the current address', async () => {
    const member = await auth.addMember();
    const [first, second] = [`one-${member.email}`, `two-${member.email}`];
    await request(member, first).expect(200);
    const { path: replaced } = await mailTo(first, confirm);
    await request(member, second).expect(200);
    const { path: withdrawn } = await mailTo(second, confirm);
    expect((await auth.browser().open(replaced)).status).toBe(400);
    await register(first).expect(200);
    await request(member, member.email.toUpperCase()).expect(200);
    expect(await emailsOf(member)).toEqual({ email: member.email.toUpperCase() });
    expect((await auth.browser().open(withdrawn)).status).toBe(400);
    await register(second).expect(200);
  });

  it('leaves nothing to undo when it is withdrawn: its link is no link for a new password', async () => {
    const member = await auth.addMember();
    const email = `mistake-${member.email}`;
    await request(member, email).expect(200);
    const { path } = await mailTo(member.email, asked);
    await request(member, member.email).expect(200);
    for (const page of [await auth.browser().open(path), await auth.browser().post(path, {})])
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('ask for a new password')]);
    expect(await canSignIn(member, member.email)).toBe(true);
    // It undoes the next change, of which somebody else may be the author.
    await change(member, email, 2);
    expect((await auth.browser().open(path)).text).toContain(member.email);
  });

  it('sends one mail for repeated requests', async () => {
    const member = await auth.addMember();
    const email = `again-${member.email}`;
    await request(member, email).expect(200);
    await request(member, email.toUpperCase()).expect(200, {});
    await auth.context.afterResponse.drained();
    expect(await emailsOf(member)).toEqual({ email: member.email, pending_email: email.toUpperCase() });
    expect(await auth.mailbox.to(email)).toHaveLength(1);
    expect((await auth.mailbox.to(member.email)).filter(({ subject }) => subject === asked)).toHaveLength(1);
    expect((await press((await mailTo(email, confirm)).path)).text).toContain('Your email is confirmed');
  });

  it('claims the pending address, and the former one while it is protected', async () => {
    const member = await auth.addMember();
    const email = `claimed-${member.email}`;
    const taken = { fail: 'Invalid Argument', failcode: [10302] };
    await request(member, email).expect(200);
    await register(email).expect(403, taken);
    await press((await mailTo(email, confirm)).path);
    await register(member.email).expect(403, taken);
    await auth.later(8 * day, async () => {
      await auth.runJobs();
      const account = await auth.context.accounts.find(member.member_id);
      expect(account).not.toHaveProperty('protected_emails');
      await register(member.email).expect(200);
    });
  });

  it('expires after seven days without confirmation', async () => {
    const member = await auth.addMember();
    const email = `never-${member.email}`;
    await request(member, email).expect(200);
    const { path } = await mailTo(email, confirm);
    await auth.later(7.1 * day, async () => {
      expect((await auth.browser().open(path)).status).toBe(400);
      expect(await emailsOf(member)).toEqual({ email: member.email });
      await register(email).expect(200);
    });
  });

  it('answers 20502 for an address of another member, and accepts a former own address', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const { siteid, member_id } = member;
    const refused = { fail: 'Invalid Argument', failcode: [20502] };
    await request(member, other.email.toUpperCase()).expect(403, refused);
    const email = `round-${member.email}`;
    await change(member, email);
    const check = { siteid, member_id, email: member.email, password_minimum: 8 };
    const { body } = await auth.internal('/internal/accounts/check', check).expect(200);
    expect(body).toEqual({ failcode: [] });
    await change(member, member.email);
    expect(await emailsOf(member)).toEqual({ email: member.email });
  });

  it('keeps one of two concurrent requests pending and releases the claim of the other', async () => {
    const member = await auth.addMember();
    const wanted = ['x', 'y', 'z'].map((name) => `${name}-${member.email}`);
    await Promise.all(wanted.map((email) => request(member, email).expect(200)));
    const { pending_email } = (await emailsOf(member)) as { pending_email: string };
    expect(wanted).toContain(pending_email);
    for (const email of wanted) await register(email).expect(email === pending_email ? 403 : 200);
  });
});
