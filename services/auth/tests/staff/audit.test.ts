import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { NIL, v7 } from 'uuid';
import { startService, type ServiceUnderTest } from '../harness.ts';

const hour = 3_600_000;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly staff_id: string;
  readonly username: string | null;
  readonly call: string;
  readonly about: string[];
  readonly status: number | null;
  readonly request_id: string | null;
}

describe('the audit log, and the names of colleagues', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('audit');
  });
  afterAll(() => auth.close());

  let accounts = 0;
  const staff = async (roles: Record<string, string[]>) => {
    accounts += 1;
    const username = `auditor${accounts}`;
    const account = { username, password: 'copper-lantern-7', roles };
    const { body: created } = await auth.internal('/internal/staff/create', account).expect(200);
    const { body } = await auth.internal('/internal/staff/token', { username }).expect(200);
    const { access_token } = body as { access_token: string };
    const call = (method: 'get' | 'delete', path: string) =>
      request(auth.server)[method](path).set('Authorization', `Bearer ${access_token}`);
    return { ...(created as { staff_id: string }), username, call };
  };
  const list = async (query: Record<string, string | number> = {}) => {
    const auditor = await staff({ '*': ['operator'] });
    const { body } = await auditor.call('get', '/staff/audit').query(query).expect(200);
    return body as { entries: Entry[]; next: string | null };
  };
  const named = async (query: Record<string, string>) =>
    (await list(query)).entries.map(({ staff_id, username }) => [staff_id, username]);
  const record = (entry: object) =>
    auth.internal('/internal/audit', { staff: v7(), call: 'POST /staff/things', about: [], ...entry });

  it('has the calls of staff here and elsewhere, newest first, with what became of the refused', async () => {
    const member = await auth.addMember();
    const helper = await staff({ '1': ['support'] });
    await helper.call('get', `/staff/members/${member.id}/sessions`).expect(200);
    await helper.call('delete', `/staff/members/${member.member_id}/sessions/none`).expect(404);
    await record({
      staff: helper.staff_id,
      call: 'POST /staff/members/:id/suspend',
      about: [`${member.id}`],
    });
    const { entries } = await list({ staff_id: helper.staff_id });
    const ending = 'DELETE /staff/members/:id/sessions/:sessionid';
    expect(entries.map(({ call, about, status }) => [call, about, status])).toEqual([
      ['POST /staff/members/:id/suspend', [`${member.id}`], null],
      [ending, [member.member_id, 'none'], 404],
      [ending, [member.member_id, 'none'], null],
      ['GET /staff/members/:id/sessions', [`${member.id}`], null],
    ]);
    expect(entries[1]?.request_id).toBe(entries[2]?.request_id);
    for (const about of [String(member.id), member.member_id, member.member_id.toUpperCase()])
      expect((await list({ about })).entries).toEqual(entries);
    const { entries: ended } = await list({ call: ending, about: 'none' });
    expect(ended.map(({ status }) => status)).toEqual([404, null]);
  });

  it('has commands on the servers that do what a call of staff does, by no account', async () => {
    const call = 'POST /staff/operations/dead-letters/replay';
    const about = ['search.index', v7()];
    await auth.internal('/internal/audit/commands', { call, about }).expect(200, {});
    const { entries } = await list({ call });
    expect(entries).toMatchObject([{ staff_id: NIL, username: null, about, status: null }]);
  });

  it('names the accounts, and is read by username', async () => {
    const [helper, other] = [await staff({ '1': ['support'] }), v7()];
    const call = 'POST /staff/named/:id';
    await record({ staff: other, call });
    await record({ staff: helper.staff_id, call });
    expect(await named({ call })).toEqual([
      [helper.staff_id, helper.username],
      [other, null],
    ]);
    expect(await named({ call, username: helper.username.toUpperCase() })).toHaveLength(1);
    const auditor = await staff({ '*': ['operator'] });
    await auditor.call('get', '/staff/audit').query({ username: 'nobody' }).expect(404);
  });

  it('is read in pages and by time', async () => {
    const call = 'POST /staff/paged/:id';
    for (const about of [['1'], ['2'], ['3']]) {
      await record({ call, about }).expect(200);
      auth.clock.ahead += hour;
    }
    const first = await list({ call, pagesize: 2 });
    expect(first.entries.map(({ about }) => about)).toEqual([['3'], ['2']]);
    const second = await list({ call, pagesize: 2, cursor: first.next ?? '' });
    expect([second.entries.map(({ about }) => about), second.next]).toEqual([[['1']], null]);
    const [third, middle] = first.entries;
    const of = async (query: Record<string, string>) =>
      (await list({ call, ...query })).entries.map(({ about }) => about);
    expect(await of({ since: middle?.at ?? '', until: third?.at ?? '' })).toEqual([['2']]);
    expect(await of({ until: middle?.at ?? '' })).toEqual([['1']]);
  });

  it('is open to operators of every site only, and cannot be changed by calls', async () => {
    const statusFor = async (roles: Record<string, string[]>) =>
      (await (await staff(roles)).call('get', '/staff/audit')).status;
    expect(await statusFor({ '*': ['moderator', 'support', 'search'] })).toBe(403);
    expect(await statusFor({ '1': ['operator', 'admin'] })).toBe(403);
    const auditor = await staff({ '*': ['operator'] });
    expect((await auditor.call('delete', '/staff/audit')).status).toBe(405);
    for (const wrong of [{ since: 'yesterday' }, { cursor: '1' }, { staff_id: 'ann' }, { pagesize: 101 }])
      expect((await auditor.call('get', '/staff/audit').query(wrong)).status).toBe(403);
  });

  it('is not needed to know who a colleague is, but their id is', async () => {
    const member = await auth.addMember();
    const [helper, colleague] = [await staff({ '1': ['support'] }), await staff({ '2': ['search'] })];
    const nameOf = (query: Record<string, string>) => helper.call('get', '/staff/name').query(query);
    const { body } = await nameOf({ staff_id: colleague.staff_id }).expect(200);
    expect(body).toEqual({ staff_id: colleague.staff_id, username: colleague.username });
    for (const staff_id of [member.member_id, v7()]) await nameOf({ staff_id }).expect(404);
    for (const query of [{}, { staff_id: colleague.username }])
      await nameOf(query as Record<string, string>).expect(403);
    await request(auth.server).get('/staff/name').query({ staff_id: colleague.staff_id }).expect(401);
    const none = await staff({});
    await none.call('get', '/staff/name').query({ staff_id: colleague.staff_id }).expect(403);
  });

  it('refuses entries that no endpoint of staff writes', async () => {
    for (const wrong of [
      { staff: 'ann' },
      { call: 'x'.repeat(201) },
      { status: 200 },
      { about: ['x'.repeat(101)] },
    ])
      expect((await record(wrong)).status).toBe(403);
  });
});
