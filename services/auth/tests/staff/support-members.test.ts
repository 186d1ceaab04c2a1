import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { alertsDuring } from '../support/alerts.ts';
import { formOf } from '../support/browser.ts';
import { addPasskey, enterPasskey } from '../support/passkeys.ts';
import type { TestMember } from '../support/people.ts';
import { linksOf, storeLink } from '../support/providers.ts';
import { turnOn } from '../support/second-factor.ts';

const hour = 3_600_000;
const password = 'quiet-meadow-77';

describe('calls of customer service about the sign-ins of a member', () => {
  let auth: ServiceUnderTest;
  let count = 0;
  beforeAll(async () => {
    auth = await startService('support-members');
  });
  afterAll(() => auth.close());

  const staffToken = async (roles: Record<string, string[]>): Promise<string> => {
    count += 1;
    const username = `helper${count}`;
    await auth.internal('/internal/staff/create', { username, password: 'copper-lantern-7', roles });
    const { body } = await auth.internal('/internal/staff/token', { username }).expect(200);
    return (body as { access_token: string }).access_token;
  };
  const call = (token: string, method: 'get' | 'post' | 'delete', path: string) =>
    request(auth.server)[method](`/staff/members/${path}`).set('Authorization', `Bearer ${token}`);
  const signIn = async (member: TestMember, device_name: string) => {
    const browser = auth.browser();
    const end = await browser.signIn(auth.client, member, { device_name });
    const code = end.searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return { browser, refresh_token: (body as { refresh_token: string }).refresh_token };
  };
  const refresh = ({ refresh_token }: { refresh_token: string }) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const accountOf = ({ member_id }: TestMember) => auth.context.accounts.find(member_id);
  const choose = (path: string) => auth.browser().post(path, { password });

  it('list sign-ins of as many members in an hour as all data of members is read of', async () => {
    const member = await auth.addMember();
    const helper = await staffToken({ '1': ['support'] });
    await call(helper, 'get', `${member.member_id}/sessions`).expect(200);
    expect(auth.profile.views.at(-1)).toBe(member.id);
    auth.profile.isLimited = true;
    const { headers } = await call(helper, 'get', `${member.id}/sessions`).expect(429);
    auth.profile.isLimited = false;
    expect(headers['retry-after']).toBe('60');
  });

  it('list and end sign-ins, of the member’s site only, and are recorded', async () => {
    const member = await auth.addMember();
    const phone = await signIn(member, 'Phone');
    const tablet = await signIn(member, 'Tablet');
    const stranger = await auth.addMember();
    const theirs = await signIn(stranger, 'Other');
    const helper = await staffToken({ '1': ['support'] });
    const record = jest.spyOn(auth.context.security, 'record');
    const { body } = await call(helper, 'get', `${member.id}/sessions`).expect(200);
    const { sessions } = body as { sessions: { id: string; device_name: string }[] };
    expect(sessions.map(({ device_name }) => device_name).sort()).toEqual(['Phone', 'Tablet']);
    expect(JSON.stringify(body)).not.toContain(member.email);
    const idOf = (name: string) => sessions.find(({ device_name }) => device_name === name)?.id ?? '';
    await call(helper, 'delete', `${stranger.id}/sessions/${idOf('Tablet')}`).expect(404);
    await call(helper, 'delete', `${member.member_id}/sessions/${idOf('Tablet')}`).expect(200);
    await refresh(tablet).expect(400);
    await refresh(phone).expect(200);
    await call(helper, 'delete', `${member.id}/sessions`).expect(200);
    await refresh(phone).expect(400);
    expect((await phone.browser.open('/account')).text).toContain('name="login"');
    await refresh(theirs).expect(200);
    const reasons = record.mock.calls
      .filter(([name]) => name === 'staff_decision')
      .map(([, facts]) => [facts.reason, facts.member]);
    record.mockRestore();
    expect(reasons).toEqual([
      ['sessions_listed', member.member_id],
      ['session_ended', member.member_id],
      ['sessions_ended', member.member_id],
    ]);
    for (const roles of [{ '2': ['support'] }, { '*': ['operator'] }] as Record<string, string[]>[]) {
      const other = await staffToken(roles);
      await call(other, 'get', `${member.id}/sessions`).expect(403);
      await call(other, 'delete', `${member.id}/sessions`).expect(403);
      await call(other, 'post', `${member.id}/recovery`).expect(403);
    }
    await call(await staffToken({ '1': ['moderator'] }), 'get', `${member.id}/sessions`).expect(200);
    await call(await staffToken({ '1': ['moderator'] }), 'post', `${member.id}/recovery`).expect(403);
    const everywhere = await staffToken({ '*': ['support'] });
    const colleagues = await auth.context.accounts.claims.staffIds();
    for (const id of ['999999', 'nobody', colleagues[0] ?? ''])
      await call(everywhere, 'get', `${id}/sessions`).expect(404);
  });

  it('recover an account whose recovery somebody stops, with all that signs in or is asked for', async () => {
    const member = await auth.addMember();
    const thief = auth.browser();
    const { passkey } = await auth.later(-8 * 24 * hour, async () => {
      await thief.signIn(auth.client, member);
      return addPasskey(thief, await thief.open('/account/passkeys'));
    });
    await storeLink(auth, member, `g-${member.member_id}`);
    const owner = auth.browser();
    await owner.signIn(auth.client, member);
    await turnOn(owner);
    const helper = await staffToken({ '1': ['support'] });
    const { body } = await call(helper, 'post', `${member.id}/recovery`).expect(200);
    const { from } = body as { from: string };
    expect(new Date(from).getTime()).toBeGreaterThan(Date.now() + 23 * hour);
    const { path } = await auth.mailbox.wait(member.email, 'Get back into your account');
    const notice = await auth.mailbox.wait(member.email, 'Customer service recovers your account');
    expect(notice.path).toMatch(/^\/password\/.+\/cancel$/);
    expect((await choose(path)).status).toBe(403);

    // The thief can sign in with the passkey, but neither stop it nor use the link up with another password.
    const shown = await enterPasskey(thief, await thief.begin(auth.client, { prompt: 'login' }), passkey);
    expect(shown.text).toContain('Customer service opens your account');
    expect(shown.text).not.toContain('Stop the recovery');
    const { csrf = '' } = formOf(await thief.open('/account')).fields;
    await thief.post('/account', { csrf, action: 'keep' });
    const page = await thief.open('/account/password');
    await thief.submit(page, { password: 'another-meadow-78' });
    expect((await accountOf(member))?.recovery?.by_support).toBe(true);

    await auth.later(24 * hour + 1_000, async () => {
      const record = jest.spyOn(auth.context.security, 'record');
      const told = await alertsDuring(auth, member, async () => {
        expect((await choose(path)).text).toContain('Your password was changed');
      });
      expect(told).toEqual([
        'credential password changed',
        'credential passkey removed',
        'credential provider removed',
        'two_step false',
      ]);
      await auth.mailbox.wait(member.email, 'Two-step sign-in was turned off');
      const facts = { member: member.member_id, reason: 'recovery' };
      expect(record).toHaveBeenCalledWith('second_factor_removed', facts);
      record.mockRestore();
      const account = await accountOf(member);
      for (const gone of ['passkeys', 'totp', 'recovery_codes', 'recovery'])
        expect(account).not.toHaveProperty(gone);
      expect(await linksOf(auth, member.member_id)).toEqual([]);
      const end = await auth.browser().signIn(auth.client, { ...member, password });
      expect(end.searchParams.get('code')).toBeTruthy();
    });
  });

  it('help no thief who has changed the email address: the link goes to the former one, and waits', async () => {
    const member = await auth.addMember();
    const theirs = `thief-${member.email}`;
    const change = { member_id: member.member_id, email: theirs };
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    const thief = auth.browser();
    const { path } = await auth.mailbox.wait(theirs, 'Please confirm your new email');
    await thief.submit(await thief.open(path), {});
    expect((await accountOf(member))?.email).toBe(theirs);
    const helper = await staffToken({ '1': ['support'] });
    const { body: first } = await call(helper, 'post', `${member.id}/recovery`).expect(200);
    const { body: second } = await call(helper, 'post', `${member.id}/recovery`).expect(200);
    expect(second).toEqual(first);
    const link = await auth.mailbox.wait(member.email, 'Get back into your account');
    expect((await choose(link.path)).status).toBe(403);
    await auth.mailbox.wait(member.email, 'Customer service recovers your account');
    await auth.mailbox.wait(theirs, 'Customer service recovers your account');
    await auth.context.afterResponse.drained();
    const subjects = (await auth.mailbox.to(theirs)).map(({ subject }) => subject);
    expect(subjects).not.toContain('Get back into your account');
  });

  it('show a recovery, and stop it as the link of its notice does', async () => {
    const helper = await staffToken({ '*': ['support'] });
    const member = await auth.addMember();
    const shown = async () => {
      const { body } = await call(helper, 'get', `${member.id}/sessions`).expect(200);
      return (body as { recovery: object | null }).recovery;
    };
    expect(await shown()).toBeNull();
    await call(helper, 'delete', `${member.id}/recovery`).expect(404);
    const { body: begun } = await call(helper, 'post', `${member.id}/recovery`).expect(200);
    expect(begun).toMatchObject({ by_support: true });
    expect(await shown()).toEqual(begun);
    await call(helper, 'delete', `${member.id}/recovery`).expect(200);
    expect(await shown()).toBeNull();
    await auth.mailbox.wait(member.email, 'The recovery of your account was stopped');
    await call(helper, 'post', `${member.id}/recovery`).expect(200);
    const { path } = await auth.mailbox.wait(member.email, 'Customer service recovers your account', 2);
    const owner = auth.browser();
    await owner.submit(await owner.open(path), {});
    expect((await accountOf(member))?.recovery).toBeUndefined();
  });
});
