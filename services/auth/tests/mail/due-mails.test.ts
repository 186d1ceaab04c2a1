import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { v7 } from 'uuid';
import type { Account } from '../../src/accounts/account.ts';
import { startBackground } from '../../src/background.ts';
import { queuedMail } from '../../src/mail/queued-mail.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { runJobs } from '../support/run-jobs.ts';
import { createSmtpServer, listening } from '../support/smtp-server.ts';

const minuteMs = 60_000;

/** More mails than are read at a time, after the server was away. */
describe('due mails', () => {
  let auth: ServiceUnderTest;
  let mails: string[];
  let close: () => Promise<void>;
  const start = async (suite: string, taken?: Promise<void>) => {
    mails = [];
    const server = createSmtpServer(mails, { 'RCPT TO:<BUSY': '450 try again later' }, taken);
    auth = await startService(suite, {
      environment: { MAIL_URL: `smtp://127.0.0.1:${await listening(server)}` },
    });
    close = async () => {
      await auth.close();
      server.close();
    };
  };
  afterEach(() => close());

  const ago = (minutes: number) => new Date(auth.context.clock().getTime() - minutes * minuteMs);
  /** The number of mails with a subject, by the recipients' name. */
  const readers = (subject: string) => {
    const names = mails
      .filter((mail) => mail.includes(`\r\nSubject: ${subject}\r\n`))
      .map((mail) => /^To: (.+?)\d*@/m.exec(mail)?.[1] ?? '');
    const byName = Object.entries(Object.groupBy(names, (name) => name));
    return Object.fromEntries(byName.map(([name, all]) => [name, all?.length]));
  };

  const addAccounts = (name: string, count: number, due: (email: string) => Partial<Account>) =>
    auth.context.accounts.pending.addMany(
      Array.from({ length: count }, (_, index): Account => {
        const username = `${name}${index}`;
        const email = `${username}@mail.example`;
        const credentials = { siteid: 1, username, email, status: 'active', staff: false } as const;
        return { _id: v7(), id: 1_000 + index, ...credentials, created_at: ago(60), ...due(email) };
      }),
    );
  const letter = (since: Date, to: string, topic = 'mailDeletion'): Partial<Account> => {
    const content = { topic: topic as 'mailDeletion', to, username: 'x', values: { days: 30 } };
    return { queued_mails: [queuedMail(content, ago(-30), auth.context.keys.seal)], mails_queued_at: since };
  };

  it('are sent once in one round, even after many failures', async () => {
    await start('duemails');
    const [early, since] = [ago(50), ago(40)];
    await addAccounts('busy', 120, (email) => ({ mail_due_at: early, ...letter(early, email) }));
    // Of a newer version, which this one cannot read.
    await addAccounts('newer', 1, (email) => letter(early, email, 'mailOfTomorrow'));
    await addAccounts('reader', 120, (email) => ({ mail_due_at: since, ...letter(since, email) }));
    for (const _round of [1, 2]) {
      await auth.runJobs();
      expect(readers('Please confirm your email')).toEqual({ reader: 120 });
      expect(readers('Your profile was deleted')).toEqual({ reader: 120 });
    }
  });

  it('are sent in the background', async () => {
    await start('duemailsbackground');
    await addAccounts('reader', 1, () => ({ mail_due_at: ago(40) }));
    const background = startBackground(auth.context);
    await until('the mail', () => mails.length > 0);
    await background.close();
    expect(readers('Please confirm your email')).toEqual({ reader: 1 });
  });

  it('do not delay a shutdown, except mails being sent', async () => {
    const taken = Promise.withResolvers<void>();
    await start('duemailsend', taken.promise);
    const { context } = auth;
    await addAccounts('reader', 30, () => ({ mail_due_at: ago(40) }));
    let isStopping = false;
    const round = runJobs(context, () => Promise.resolve(!isStopping));
    await until('a mail is under way', () => mails.length > 0);
    isStopping = true;
    taken.resolve();
    await round;
    expect(mails.length).toBeLessThan(10);
    const left = await context.connection
      .collection('accounts')
      .countDocuments({ mail_due_at: { $exists: true } });
    expect(left).toBe(30 - mails.length);
  });
});
