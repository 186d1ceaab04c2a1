import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { framesDuring } from '../../support/alerts.ts';
import { destination, formOf } from '../../support/browser.ts';
import { addPasskey } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';

const subject = 'New sign-in to your account';

describe('a sign-in on a new device', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('new-device');
  });
  afterAll(() => auth.close());

  const mailsTo = async (address: string) => {
    await auth.context.afterResponse.drained();
    return (await auth.mailbox.to(address)).filter((mail) => mail.subject === subject);
  };

  it('is reported by mail in the member’s language, with app, device and time, at open sockets and on devices', async () => {
    const { profile } = auth;
    const member = await auth.addMember();
    Object.assign(profile.members.get(member.member_id) ?? {}, { locale: 'de_DE' });
    const frames = await framesDuring(auth, member, () =>
      auth.browser().signIn(auth.client, member, { device_name: 'Pixel\u0007 9' }),
    );
    const mail = await auth.mailbox.wait(member.email, 'Neue Anmeldung bei deinem Konto');
    expect(mail.text).toContain('Test app (Pixel 9)');
    expect(mail.text).toMatch(/\d+\. \S+ \d{4}.* UTC/);
    expect(mail.text).not.toContain('10.0.');
    expect(mail.path).toBe('/account');
    expect(frames).toMatchObject([{ type: 'session', data: { client: 'Test app' } }]);
    expect(profile.alerts).toEqual([{ id: member.id, alert: 'session' }]);
  });

  it('is not told again for a browser that knows the account, nor for wrong credentials', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    expect(await mailsTo(member.email)).toHaveLength(1);
    await browser.signIn(auth.client, member, { prompt: 'login' });
    const stranger = auth.browser();
    await stranger.submit(await stranger.begin(auth.client), {
      login: member.email,
      password: 'wrong-one-7',
    });
    expect(await mailsTo(member.email)).toHaveLength(1);
  });

  it.each(['a new password by mail', 'a passkey removed by mail', 'a reverted change of email'])(
    'is told for every browser that knew the account before %s, but for the owner’s',
    async (how) => {
      const member = await auth.addMember();
      const [thief, owner] = [auth.browser(), auth.browser()];
      await thief.signIn(auth.client, member);
      const readMail = async (title: string, fields: Record<string, string> = {}) => {
        const { path } = await auth.mailbox.wait(member.email, title);
        return owner.submit(await owner.open(path), fields);
      };
      const password = 'quiet-meadow-77';
      let now: TestMember = { ...member, password };
      if (how === 'a new password by mail') {
        const { action } = formOf(await owner.begin(auth.client, { siteid: '1' }));
        await owner.submit(await owner.open(`${action}/forgotten`), { login: member.username });
        await readMail('Choose a new password', { password });
      } else if (how === 'a passkey removed by mail') {
        await addPasskey(thief, await thief.open('/account/passkeys'));
        await readMail('A passkey was added to your account');
        now = member;
        await owner.signIn(auth.client, now);
      } else {
        const email = `new-${member.email}`;
        await auth.internal('/internal/accounts/change-email', { ...member, email }).expect(200);
        await owner.submit(await readMail('Your email is about to change'), { password });
      }
      const before = (await mailsTo(member.email)).length;
      await owner.signIn(auth.client, now, { prompt: 'login' });
      expect(await mailsTo(member.email)).toHaveLength(before);
      await thief.signIn(auth.client, now, { prompt: 'login' });
      expect(await mailsTo(member.email)).toHaveLength(before + 1);
    },
  );

  it('does not succeed before the mail about it is stored', async () => {
    const member = await auth.addMember();
    const { queue } = auth.context.mail;
    const whole = { ...queue };
    queue.add = () => Promise.reject(new Error('the database is down'));
    const browser = auth.browser();
    const page = await browser.begin(auth.client);
    const entry = { login: member.username, password: member.password };
    const failed = await browser.submit(page, entry);
    Object.assign(queue, whole);
    expect([failed.status, failed.get('Location')]).toEqual([500, undefined]);
    expect(destination(await browser.submit(page, entry)).searchParams.get('code')).toBeTruthy();
    expect(await mailsTo(member.email)).toHaveLength(1);
  });

  it('is reported at most three times during many sign-ins', async () => {
    const member = await auth.addMember();
    for (const _one of [1, 2, 3, 4, 5]) await auth.browser().signIn(auth.client, member);
    expect(await mailsTo(member.email)).toHaveLength(3);
  });

  it('notifies nobody of the registration, or of a staff account', async () => {
    const member = await auth.addMember();
    const tell = jest.spyOn(auth.context.tokens.revocations, 'alertSockets');
    const { client_id } = auth.client;
    await auth.internal('/internal/codes', { member_id: member.member_id, client_id }).expect(200);
    const newcomer = auth.browser();
    const entries = { username: 'newcomer', email: 'newcomer@mail.example', password: 'quiet-meadow-77' };
    const parameters = { prompt: 'create', siteid: '3' };
    const registered = await newcomer.submit(await newcomer.begin(auth.client, parameters), entries);
    expect(destination(registered).searchParams.get('code')).toBeTruthy();
    const client = await auth.createClient({ staff: true });
    const credentials = { username: 'told-staff', password: 'copper-lantern-7' };
    await auth.internal('/internal/staff/create', { ...credentials, roles: {} }).expect(200);
    const browser = auth.browser();
    const { username: login, password } = credentials;
    const end = await browser.submit(await browser.begin(client), { login, password });
    expect(destination(end).searchParams.get('code')).toBeTruthy();
    expect(await mailsTo(member.email)).toEqual([]);
    expect(await mailsTo(entries.email)).toEqual([]);
    expect(tell).not.toHaveBeenCalled();
    tell.mockRestore();
  });
});
