import { testServiceKeys } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { inspect } from 'node:util';
import { configSchema } from '../../src/config.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { createSmtpServer, listening } from '../support/smtp-server.ts';
import type { TestMember } from '../support/people.ts';

const subject = 'Please confirm your email';

describe('the email address of an account', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('email');
  });
  afterAll(() => auth.close());

  const stored = (id: string) => auth.context.accounts.find(id);
  const press = async (path: string) => {
    const browser = auth.browser();
    return browser.submit(await browser.open(path), {});
  };

  it('is confirmed by the button on the linked page, not by opening the link', async () => {
    const member = await auth.addMember();
    const mail = await auth.mailbox.wait(member.email, subject);
    expect(mail.text).toContain('Heartland Singles');
    const page = await auth.browser().open(mail.path);
    expect(page.text).toContain(`Is ${member.email} your email address`);
    expect((await stored(member.member_id))?.email_confirmed_at).toBeUndefined();
    expect((await press(mail.path)).text).toContain('Your email is confirmed');
    expect((await stored(member.member_id))?.email_confirmed_at).toBeInstanceOf(Date);
    expect((await press(mail.path)).status).toBe(200);
  });

  it("receives one mail, in the member's language", async () => {
    const member = await auth.addMember();
    await auth.mailbox.wait(member.email, subject);
    await auth.context.afterResponse.drained();
    await auth.internal('/internal/accounts/confirm', { member_id: member.member_id }).expect(200);
    await auth.context.afterResponse.drained();
    expect(await auth.mailbox.to(member.email)).toHaveLength(1);
    const other = {
      ...member,
      member_id: crypto.randomUUID(),
      id: 9_001,
      username: 'Eleni',
      email: 'eleni@mail.example',
    };
    await auth.internal('/internal/accounts/reserve', { ...other, password_minimum: 8 }).expect(200);
    await auth
      .internal('/internal/accounts/confirm', { member_id: other.member_id, locale: 'el_GR' })
      .expect(200);
    const mail = await auth.mailbox.wait(other.email, 'Επιβεβαιώστε το email σας');
    expect((await auth.browser().open(mail.path)).text).toContain('<html lang="el-GR">');
  });

  it("receives a notice of a deletion, in the member's language", async () => {
    const { member_id, email } = await auth.addMember();
    const tell = (body: object) => auth.internal('/internal/accounts/notify-deletion', body);
    await tell({ member_id, days: 30 }).expect(200, {});
    const mail = await auth.mailbox.wait(email, 'Your profile was deleted');
    expect(mail).toMatchObject({ path: '/account?siteid=1' });
    expect(mail.text).toContain('For 30 days you can bring it back');
    await until('nothing is kept of it', async () => !(await stored(member_id))?.queued_mails);
    await tell({ member_id, days: 0 }).expect(403, { fail: 'Invalid Argument' });
    await tell({ member_id: crypto.randomUUID(), days: 30 }).expect(404);

    const jonas = { member_id: crypto.randomUUID(), id: 9_002, siteid: 1, username: 'Jonas' };
    const account = {
      ...jonas,
      email: 'jonas@mail.example',
      password: 'violet-harbour',
      password_minimum: 8,
    };
    await auth.internal('/internal/accounts/reserve', account).expect(200);
    const active = { member_id: jonas.member_id, locale: 'de_DE' };
    await auth.internal('/internal/accounts/confirm', active).expect(200);
    await tell({ member_id: jonas.member_id, days: 30 }).expect(200);
    const german = await auth.mailbox.wait(account.email, 'Dein Profil wurde gelöscht');
    expect(german.text).toContain('30 Tage lang');
  });

  it("receives mails and pages in the member's current language", async () => {
    const member = await auth.addMember();
    const { member_id, id } = member;
    auth.profile.members.set(member_id, { id, deactivated: false, suspended: false, locale: 'de_DE' });
    const email = `german-${member.email}`;
    await auth.internal('/internal/accounts/change-email', { member_id, email }).expect(200);
    await auth.mailbox.wait(member.email, 'Deine E-Mail-Adresse soll geändert werden');
    const { path } = await auth.mailbox.wait(email, 'Bitte bestätige deine neue E-Mail-Adresse');
    expect((await auth.browser().open(path)).text).toContain('<html lang="de-DE">');
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    expect((await browser.open('/session/end')).text).toContain('<html lang="de-DE">');
  });

  it('is reported to every device when it is about to change, also to that of a stolen token', async () => {
    const { member_id, id, email } = await auth.addMember();
    const change = { member_id, email: `new-${email}`, family: 'phone' };
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    await auth.context.afterResponse.drained();
    const alerts = auth.profile.alerts.filter((alert) => alert.id === id);
    expect(alerts).toEqual([{ id, alert: 'email' }]);
  });

  it('is not confirmed by a link for the previous address', async () => {
    const member = await auth.addMember();
    const old = await auth.mailbox.wait(member.email, subject);
    const email = `new-${member.email}`;
    const change = { member_id: member.member_id, email };
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    expect((await press(old.path)).status).toBe(200);
    expect((await press((await auth.mailbox.wait(email, 'Please confirm your new email')).path)).status).toBe(
      200,
    );
    expect(await stored(member.member_id)).toMatchObject({ email, email_confirmed_at: expect.any(Date) });
    expect((await auth.browser().open(old.path)).status).toBe(400);
  });

  it('is confirmed by a link sent before its spelling changed', async () => {
    const member = await auth.addMember();
    const { path } = await auth.mailbox.wait(member.email, subject);
    const respelled = { member_id: member.member_id, email: member.email.toUpperCase() };
    await auth.internal('/internal/accounts/change-email', respelled).expect(200);
    expect((await press(path)).text).toContain('Your email is confirmed');
    expect(await stored(member.member_id)).toMatchObject({ email_confirmed_at: expect.any(Date) });
  });

  it('is not confirmed by expired or forged links', async () => {
    const member = await auth.addMember();
    const { path } = await auth.mailbox.wait(member.email, subject);
    const late = await auth.later(8 * 86_400_000, () => auth.browser().open(path));
    expect(late.status).toBe(400);
    expect((await auth.browser().open(`${path.slice(0, -2)}AA`)).status).toBe(400);
    const old = await auth.browser().open('/email/x');
    expect(old.status).toBe(400);
    // Unlike the link for a new password it works more than once, and there is no way to ask for another one.
    expect(old.text).toContain('the email address of the account has changed');
  });
});

const problems = (settings: object) =>
  configSchema.safeParse(settings).error?.issues.map(({ path }) => path.join('.')) ?? [];

const subjectAndReader = (mail: string): [string, string] => [
  /^Subject: (.*)$/m.exec(mail)?.[1]?.trim() ?? '',
  /^To: (.*)$/m.exec(mail)?.[1]?.trim() ?? '',
];

const startWithMail = (suite: string, MAIL_URL: string) => startService(suite, { environment: { MAIL_URL } });

/** Actions that send mails to a member, and the queued mails. */
const mailsOf = (auth: ServiceUnderTest, { member_id, email }: TestMember) => ({
  changeEmail: () =>
    auth.internal('/internal/accounts/change-email', { member_id, email: `new-${email}` }).expect(200),
  forgetPassword: async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
    await browser.submit(await browser.open(link), { login: `new-${email}` });
  },
  mails: async () => (await auth.context.accounts.find(member_id))?.queued_mails ?? [],
});

describe('mail by SMTP', () => {
  it('is sent by the periodic job after the server was down', async () => {
    const probe = createSmtpServer([]);
    const port = await listening(probe);
    await new Promise((resolve) => probe.close(resolve));
    const auth = await startService('smtp', {
      environment: { MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'hello@mail.test' },
    });
    const mails: string[] = [];
    const server = createSmtpServer(mails);
    try {
      const member = await auth.addMember();
      await auth.context.afterResponse.drained();
      const due = () => auth.context.accounts.find(member.member_id).then((account) => account?.mail_due_at);
      expect(await due()).toBeInstanceOf(Date);
      const before = mailsOf(auth, member);
      await before.changeEmail();
      await before.forgetPassword();
      await until('two mails', async () => (await before.mails()).length === 2);
      // The first try of the second one is not to meet the server.
      await auth.context.afterResponse.drained();
      // A queued mail must not show a reader of the database how to get in.
      expect(JSON.stringify(await before.mails())).not.toMatch(/password|mail\.example|Reset/);
      await listening(server, port);
      auth.clock.ahead = 61_000;
      await auth.runJobs();
      await until('the mails arrive', () => mails.length > 2);
      expect(mails[0]).toContain('From: Heartland Singles <hello@mail.test>');
      expect(mails.map(subjectAndReader).toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual([
        ['Choose a new password', member.email],
        ['Please confirm your new email', `new-${member.email}`],
        ['Your email is about to change', member.email],
      ]);
      expect(await due()).toBeUndefined();
      expect(await before.mails()).toEqual([]);
      await auth.runJobs();
      expect(mails).toHaveLength(3);
    } finally {
      await auth.close();
      server.close();
    }
  });

  it('expires with its link', async () => {
    const auth = await startWithMail('smtpgone', 'smtp://127.0.0.1:1');
    try {
      const member = await auth.addMember();
      const { mails, ...made } = mailsOf(auth, member);
      await made.changeEmail();
      await made.forgetPassword();
      await until('two mails', async () => (await mails()).length === 2);
      await auth.context.afterResponse.drained();
      for (const [minutes, left] of [
        [29, 2],
        [31, 1],
        [7 * 24 * 60 - 1, 1],
        [7 * 24 * 60 + 1, 0],
      ] as const) {
        auth.clock.ahead = minutes * 60_000;
        await auth.runJobs();
        expect([minutes, (await mails()).length]).toEqual([minutes, left]);
      }
    } finally {
      await auth.close();
    }
  });

  it('is removed when the mailbox does not exist, and the logs do not name it', async () => {
    const refusals: Record<string, string> = {};
    const server = createSmtpServer([], refusals);
    const auth = await startWithMail('smtp550', `smtp://127.0.0.1:${await listening(server)}`);
    const warn = jest.spyOn(auth.context.logger, 'warn');
    try {
      const member = await auth.addMember();
      await auth.context.afterResponse.drained();
      refusals['RCPT'] = `550 5.1.1 <${member.email}>: Recipient address rejected`;
      const { changeEmail, mails } = mailsOf(auth, member);
      await changeEmail();
      await auth.context.afterResponse.drained();
      expect((await auth.context.accounts.find(member.member_id))?.mail_due_at).toBeUndefined();
      expect(await mails()).toEqual([]);
      const reason = { member: member.id, err: expect.objectContaining({ message: 'RCPT TO 550 5.1.1' }) };
      expect(warn.mock.calls.map(([logged]) => logged)).toEqual([reason, reason]);
      expect(inspect(warn.mock.calls, { depth: Infinity, showHidden: true })).not.toContain('mail.example');
    } finally {
      await auth.close();
      server.close();
    }
  });

  it.each([
    ['127.5.0.1', '127.5.0.1'],
    ['[::1]', '::1'],
    ['LOCALHOST', 'localhost'],
  ])('needs no TLS to %s, which is this host', async (named, host) => {
    const mails: string[] = [];
    const server = createSmtpServer(mails, { STARTTLS: '502 not implemented' });
    const port = await listening(server, 0, host);
    const auth = await startWithMail('smtp-here', `smtp://${named}:${port}`);
    try {
      await auth.addMember();
      await auth.context.afterResponse.drained();
      expect(mails).toHaveLength(1);
    } finally {
      await auth.close();
      server.close();
    }
  });

  it('is not sent to another host that offers no TLS', async () => {
    const mails: string[] = [];
    const server = createSmtpServer(mails, { STARTTLS: '502 not implemented' });
    // Another name of this host, which is not known to be one.
    const auth = await startWithMail('smtp-tls', `smtp://127.1:${await listening(server)}`);
    try {
      const warn = jest.spyOn(auth.context.logger, 'warn');
      await auth.addMember();
      await auth.context.afterResponse.drained();
      const err = expect.objectContaining({ message: expect.stringMatching(/^STARTTLS/) });
      expect(warn).toHaveBeenCalledWith({ member: expect.anything(), err }, expect.any(String));
      expect(mails).toEqual([]);
    } finally {
      await auth.close();
      server.close();
    }
  });

  it.each([
    ['MAIL', '530 sign in first'],
    ['RCPT', '554 5.7.1 relay access denied'],
    ['RCPT', '550 5.1.8 sender address rejected'],
    ['DATA', '550 5.7.26 sender is not authenticated'],
  ])(
    'is kept when the server refuses us and not the mail, and both are counted: %s %s',
    async (verb, answer) => {
      const refusals: Record<string, string> = { [verb]: answer };
      const mails: string[] = [];
      const server = createSmtpServer(mails, refusals);
      const auth = await startWithMail('smtp530', `smtp://127.0.0.1:${await listening(server)}`);
      const counted = async () => {
        const { values } = await auth.context.metrics.mails.get();
        return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
      };
      try {
        const member = await auth.addMember();
        await auth.context.afterResponse.drained();
        expect((await auth.context.accounts.find(member.member_id))?.mail_due_at).toBeInstanceOf(Date);
        expect(await counted()).toEqual({ failed: 1 });
        delete refusals[verb];
        auth.clock.ahead = 61_000;
        await auth.runJobs();
        expect(mails).toHaveLength(1);
        expect(await counted()).toEqual({ failed: 1, sent: 1 });
      } finally {
        await auth.close();
        server.close();
      }
    },
  );

  it('needs exactly one setting', () => {
    const rest = {
      PORT: '0',
      MANAGEMENT_PORT: '0',
      ...testServiceKeys('auth'),
      AUTH_SECRET: 's'.repeat(32),
      PUBLIC_URL: 'https://api.example',
      MONGODB_URL: 'mongodb://db',
      REDIS_URL: 'redis://cache',
      PROFILE_URL: 'http://profile',
      SITES_FILE: new URL('../../../../config/sites.json', import.meta.url).pathname,
    };
    expect(problems({ ...rest, MAIL_DIR: 'mails' })).toEqual([]);
    expect(problems({ ...rest, MAIL_URL: 'smtps://me:secret@mail.example' })).toEqual([]);
    expect(problems({ ...rest, MAIL_URL: 'https://mail.example' })).toEqual(['MAIL_URL']);
    expect(problems(rest)).toEqual(['MAIL_URL']);
    expect(problems({ ...rest, MAIL_DIR: 'mails', MAIL_URL: 'smtp://mail.example' })).toEqual(['MAIL_URL']);
    const from = (MAIL_FROM: string) => problems({ ...rest, MAIL_DIR: 'mails', MAIL_FROM });
    expect([from('hello@mail.test'), from('hello@localhost')]).toEqual([[], []]);
    // As an address that would be `"Heartland  hello"@mail.test`: a mailbox that nobody has.
    expect(from('Heartland <hello@mail.test>')).toEqual(['MAIL_FROM']);
  });
});
