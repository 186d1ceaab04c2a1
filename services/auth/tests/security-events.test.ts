import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SecurityLog } from '@covalence/runtime/security-events';
import request from 'supertest';
import { startService, type ServiceUnderTest } from './harness.ts';
import type { TestMember } from './support/people.ts';

/** Longer than any client's grace for a refresh whose answer was lost, ms. */
const afterGrace = 121_000;

describe('security events', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let record: jest.SpiedFunction<SecurityLog['record']>;
  beforeAll(async () => {
    auth = await startService('security');
    record = jest.spyOn(auth.context.security, 'record');
    member = await auth.addMember();
  });
  beforeEach(() => void record.mockClear());
  afterAll(() => auth.close());

  const enter = async (login: string, password: string, address: string) => {
    const browser = auth.browser(address);
    return browser.submit(await browser.begin(auth.client), { login, password });
  };
  const codeOf = async () => {
    const back = await auth.browser().signIn(auth.client, member);
    return back.searchParams.get('code') ?? '';
  };
  const exchange = (code: string) => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
  const refresh = (refresh_token: string) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const ofMember = () => ({ member: member.member_id, client: auth.client.client_id });

  it('record a sign-in and a wrong password with member, client and address', async () => {
    await enter(member.username, 'not-the-password', '192.0.2.7');
    expect(record.mock.calls).toEqual([
      ['sign_in_failed', { ...ofMember(), address: '192.0.2.7', reason: 'wrong' }],
    ]);
    record.mockClear();
    await enter(member.username, member.password, '2001:db8:1:2:3::4');
    expect(record).toHaveBeenCalledWith('sign_in', { ...ofMember(), address: '2001:db8:1:2' });
  });

  it('name no account for an unknown login, and never the entered text', async () => {
    await enter('somebody-unknown', 'not-the-password', '192.0.2.8');
    expect(record.mock.calls).toEqual([
      [
        'sign_in_failed',
        { member: undefined, client: auth.client.client_id, address: '192.0.2.8', reason: 'wrong' },
      ],
    ]);
  });

  it('record a link for a new password and the password that it sets', async () => {
    const forgetful = await auth.addMember();
    const browser = auth.browser('192.0.2.9');
    const page = await browser.begin(auth.client, { siteid: '1' });
    const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
    await browser.submit(await browser.open(link), { login: forgetful.username });
    const { path } = await auth.mailbox.wait(forgetful.email, 'Choose a new password');
    await browser.submit(await browser.open(path), { password: 'amber-lantern-71' });
    const facts = { member: forgetful.member_id, address: '192.0.2.9' };
    expect(record.mock.calls).toEqual([
      ['password_reset_requested', { ...facts, client: auth.client.client_id }],
      ['password_changed', { ...facts, reason: 'mail' }],
    ]);
  });

  it('record a code that is used twice', async () => {
    const code = await codeOf();
    await exchange(code).expect(200);
    await exchange(code).expect(400);
    expect(record).toHaveBeenCalledWith('code_reused', expect.objectContaining(ofMember()));
  });

  it('record a refresh token that is reused after its exchange', async () => {
    const { refresh_token: first } = (await exchange(await codeOf()).expect(200)).body as {
      refresh_token: string;
    };
    await refresh(first).expect(200);
    await auth.later(afterGrace, () => refresh(first).expect(400));
    expect(record).toHaveBeenCalledWith('refresh_token_reused', expect.objectContaining(ofMember()));
  });

  it.each(['/token', '/revoke'])('record a wrong client secret at %s', async (path) => {
    await request(auth.server)
      .post(path)
      .type('form')
      .send({ ...auth.client, client_secret: 'wrong', grant_type: 'refresh_token', token: 'x' })
      .expect(401);
    const { client_id: client } = auth.client;
    expect(record).toHaveBeenCalledWith('client_refused', expect.objectContaining({ client }));
  });

  it('record the creation, disabling and tokens of staff accounts', async () => {
    const of = { username: 'nora', password: 'a-long-staff-password' };
    await auth.internal('/internal/staff/create', { ...of, roles: {} }).expect(200);
    await auth.internal('/internal/staff/token', { username: 'nora' }).expect(200);
    await auth.internal('/internal/staff/password', of).expect(200);
    await auth.internal('/internal/staff/disable', { username: 'nora', disabled: true }).expect(200);
    const told = record.mock.calls.map(([name, { reason }]) => [name, reason]);
    expect(told).toEqual([
      ['staff_changed', 'created'],
      ['staff_sign_in', undefined],
      ['staff_changed', 'password'],
      ['staff_changed', 'disabled'],
    ]);
  });

  it('record internal calls without the credential of a service', async () => {
    await request(auth.server).post('/internal/staff/list').send({}).expect(401);
    const { values } = await auth.context.metrics.securityEvents.get();
    const refused = values.find(({ labels }) => labels.event === 'service_call_refused');
    expect(refused?.value).toBe(1);
  });
});
