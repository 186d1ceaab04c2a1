import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { createSmtpServer, listening } from '../support/smtp-server.ts';

const due = '2026-11-26T18:07:00.000Z';
const counts = { messages: 3, likes: 2 };
const path = '/internal/accounts/send-digest';

describe('the digest by mail', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('digest');
  });
  afterAll(() => auth.close());

  /** A member with a confirmed address. */
  const reader = async () => {
    const member = await auth.addMember();
    await auth.context.accounts.emails.confirm(member.member_id, member.email, auth.context.clock());
    return member;
  };
  const send = (member_id: string, more: object = {}) =>
    auth.internal(path, { member_id, due, locale: 'en_US', counts, ...more }).expect(200, {});
  const digestsOf = async ({ email }: { email: string }) => {
    await auth.context.afterResponse.drained();
    return (await auth.mailbox.to(email)).filter(({ headers }) => headers['list-unsubscribe']);
  };

  it('has counts only, in the language of the member, and comes once for each time that it was due', async () => {
    const member = await reader();
    await Promise.all([1, 2, 3].map(() => send(member.member_id, { locale: 'de_DE' })));
    await send(member.member_id, { locale: 'de_DE', counts: { likes: 9 } });
    const [digest, ...others] = await digestsOf(member);
    expect(others).toEqual([]);
    expect(digest).toMatchObject({ subject: 'Das ist neu für dich', from: 'Heartland Singles' });
    expect(digest?.text).toContain('Neue Nachrichten: 3\nNeue Likes: 2\n');
    expect(digest?.text).not.toContain('Verbindungen');
    expect(digest?.html).toContain('<li>Neue Nachrichten: 3</li><li>Neue Likes: 2</li>');
    await send(member.member_id, { due: '2026-11-27T18:07:00.000Z' });
    expect(await digestsOf(member)).toHaveLength(2);
    expect((await auth.context.accounts.find(member.member_id))?.queued_mails).toBeUndefined();
  });

  it('goes to no address that nobody has confirmed, and to no account that is unknown', async () => {
    const member = await auth.addMember();
    await send(member.member_id);
    await send(crypto.randomUUID());
    expect(await digestsOf(member)).toEqual([]);
  });

  it('ends by one POST of a mail program without sign-in, and by the button, but not by opening the link', async () => {
    const member = await reader();
    await send(member.member_id);
    const [digest] = await digestsOf(member);
    expect(digest?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const [, link = ''] = /^<http:\/\/auth\.test(\/digest\/[\w-]+)>$/.exec(
      digest?.headers['list-unsubscribe'] ?? '',
    ) ?? [''];
    expect(digest?.text).toContain(`http://auth.test${link}`);
    const { digestsStopped } = auth.profile;
    const page = await auth.browser().open(link);
    expect(page.text).toContain('Turn off the summaries by email');
    await request(auth.server).head(link).expect(200);
    expect(digestsStopped).toEqual([]);
    const oneClick = () => request(auth.server).post(link);
    for (const answer of [
      await oneClick().type('form').send('List-Unsubscribe=One-Click'),
      await oneClick().field('List-Unsubscribe', 'One-Click'),
      await oneClick(),
      await auth.browser().submit(page, {}),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('The summaries are turned off');
    }
    expect(digestsStopped).toEqual(Array.from({ length: 4 }, () => member.member_id));
    auth.profile.away = true;
    expect((await oneClick()).status).toBe(503);
    auth.profile.away = false;
    expect((await oneClick()).status).toBe(200);
  });

  it('ends by no forged link, and its link does nothing else', async () => {
    const member = await reader();
    await send(member.member_id);
    const [digest] = await digestsOf(member);
    const [, token = ''] = /\/digest\/([\w-]+)/.exec(digest?.text ?? '') ?? [];
    const before = auth.profile.digestsStopped.length;
    const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    expect((await request(auth.server).post(`/digest/${forged}`)).status).toBe(400);
    for (const other of ['email', 'password', 'passkey', 'two-step', 'device']) {
      const { status } = await request(auth.server).get(`/${other}/${token}`);
      expect([other, status]).toEqual([other, 400]);
    }
    expect(auth.profile.digestsStopped).toHaveLength(before);
  });
});

describe('a digest on its way', () => {
  it('is lost rather than sent twice by a process that dies, and sent later after an error of the server', async () => {
    const mails: string[] = [];
    const taken = Promise.withResolvers<void>();
    const server = createSmtpServer(mails, { 'RCPT TO:<BUSY': '450 try again later' }, taken.promise);
    const auth = await startService('digest-smtp', {
      environment: { MAIL_URL: `smtp://127.0.0.1:${await listening(server)}` },
    });
    const { accounts, clock } = auth.context;
    const confirmed = async (email?: string) => {
      const member = await auth.addMember(email === undefined ? {} : { email });
      await accounts.emails.confirm(member.member_id, member.email, clock());
      return member;
    };
    const queued = async (id: string) => (await accounts.find(id))?.queued_mails?.length ?? 0;
    const [member, busy] = [await confirmed(), await confirmed('busy@mail.example')];
    const digests = () => mails.filter((mail) => mail.includes('List-Unsubscribe-Post: '));
    for (const { member_id } of [member, busy])
      await auth.internal(path, { member_id, due, locale: 'en_US', counts }).expect(200);
    await until('it is being sent', () => digests().length === 1);
    // If the process died now, nothing would send it again.
    expect(await queued(member.member_id)).toBe(0);
    taken.resolve();
    await auth.context.afterResponse.drained();
    await auth.later(120_000, () => auth.runJobs());
    expect(digests()).toHaveLength(1);
    expect(await queued(busy.member_id)).toBe(1);
    await auth.close();
    server.close();
  });
});
