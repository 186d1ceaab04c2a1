import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest, type TestStaff } from '../../harness.ts';
import { manual, path, why } from '../../support/moderation.ts';

const device = 'apns:heartland-ios/production/740f4707';

describe('POST /staff/members/search', () => {
  const payers = new Map<string, number[]>();
  const asked: string[] = [];
  let service: ServiceUnderTest;
  let helper: TestStaff;
  beforeAll(async () => {
    const billing = {
      findPayers: ({ reference }: { readonly reference: string }) => {
        asked.push(reference);
        return Promise.resolve({ members: payers.get(reference) ?? [] });
      },
    };
    service = await startService('find-members', {
      environment: { STAFF_SEARCHES_PER_HOUR: '60' },
      overrides: { billing },
    });
    helper = await service.staff({ '*': ['support'] });
  });
  afterAll(() => service.close());

  const search = (body: object, staff = helper) => staff.post('/staff/members/search', body);
  const idsFound = async (body: object, staff = helper): Promise<number[]> => {
    const answer = await search(body, staff).expect(200);
    return (answer.body as { members: { id: number }[] }).members.map(({ id }) => id);
  };
  const emailOf = ({ memberId }: TestMember) => service.auth.accounts.get(memberId)?.email ?? '';
  const addDevice = ({ id, memberId }: TestMember, endpoint: string) =>
    service
      .internal('/internal/push/add', { id, member_id: memberId, endpoint, types: [], recent_sign_in: true })
      .expect(200);

  it('finds a member by number, UUID, username, email address, payment and device', async () => {
    const member = await service.register(manual);
    await service.register(manual);
    payers.set('GPA.3345', [member.id]);
    await addDevice(member, device);
    const searches = [
      { by: 'id', value: ` ${member.id} ` },
      { by: 'id', value: member.memberId.toUpperCase() },
      { by: 'username', value: member.username },
      { by: 'email', value: emailOf(member).toUpperCase() },
      { by: 'payment', value: 'GPA.3345' },
      { by: 'device', value: device },
    ];
    for (const body of searches) expect([body, await idsFound(body)]).toEqual([body, [member.id]]);
    const { body } = await search({ by: 'id', value: String(member.id) }).expect(200);
    expect(body).toEqual({
      members: [
        {
          id: member.id,
          member_id: member.memberId,
          siteid: 2,
          username: member.username,
          userstatus: 'new',
          suspended: false,
          deactivated: false,
          deleted: false,
          date_registered: expect.any(String),
        },
      ],
      more: false,
    });
    await search({ by: 'device', value: 'id-of-a-sign-in' }).expect(200);
    expect(service.auth.calls).toContain('find-sign_in');
  });

  it('answers the same about a member of another site as about nobody, and asks nothing else', async () => {
    const member = await service.register(manual);
    await addDevice(member, `${device}1`);
    payers.set('theirs', [member.id]);
    const elsewhere = await service.staff({ 1: ['support'], 2: ['search'] });
    const find = jest.spyOn(service.context.moderation.search, 'find');
    const callsFor = async (by: string, value: string) => {
      find.mockClear();
      service.auth.calls.length = 0;
      asked.length = 0;
      const { status, body } = await search({ by, value }, elsewhere);
      const stores = find.mock.calls.map(([name, , siteids]) => ({ name, siteids }));
      return { status, body, stores, auth: [...service.auth.calls], billing: asked.length };
    };
    const pairs = [
      ['id', String(member.id), '987654321'],
      ['id', member.memberId, '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77'],
      ['username', member.username, 'nobody'],
      ['email', emailOf(member), 'nobody@mail.example'],
      ['payment', 'theirs', 'nobody’s'],
      ['device', `${device}1`, `${device}2`],
    ] as const;
    for (const [by, theirs, nobodys] of pairs) {
      const about = await callsFor(by, theirs);
      expect([by, about]).toEqual([by, await callsFor(by, nobodys)]);
      expect(about).toMatchObject({ status: 200, body: { members: [], more: false } });
      expect(about.stores).toMatchObject([{ siteids: [1] }]);
    }
    find.mockRestore();
    const named = { by: 'email', value: emailOf(member), siteid: 2 };
    await search(named, elsewhere).expect(403);
    const here = await service.staff({ 1: ['support'], 2: ['moderator'] });
    expect(await idsFound(named, here)).toEqual([member.id]);
    expect(await idsFound({ ...named, siteid: 1 }, here)).toEqual([]);
  });

  it('shows 20 members at most', async () => {
    const base = `Crowd${process.pid}`;
    for (let index = 10; index < 31; index += 1) await service.register({ username: `${base}x${index}` });
    const { body } = await search({ by: 'username', value: base }).expect(200);
    expect([body.members.length, body.more]).toEqual([20, true]);
  });

  it('finds a deleted member until the erasure', async () => {
    const member = await service.register(manual);
    await (await service.staff()).post(path(member, 'delete'), why).expect(200);
    const body = { by: 'email', value: emailOf(member) };
    expect((await search(body)).body.members).toMatchObject([{ id: member.id, deleted: true }]);
    // It keeps a member with events to publish.
    await until('erased', () => service.context.members.store.erase(member.id));
    expect(await idsFound(body)).toEqual([]);
  });

  it('is recorded for each member found before it is answered, without the value', async () => {
    const member = await service.register(manual);
    const record = jest.spyOn(service.context.security, 'record');
    const append = jest.spyOn(service.context.moderation.decisions, 'append');
    append.mockRejectedValueOnce(new Error('no answer'));
    const body = { by: 'email', value: emailOf(member) };
    await search(body).expect(500);
    append.mockRestore();
    await search(body).expect(200);
    await search({ by: 'email', value: 'nobody@mail.example' }).expect(200);
    const facts = { staff: helper.memberId, reason: 'searched_by_email' };
    const searched = ['staff_decision', facts];
    expect(record.mock.calls).toEqual([searched, searched, searched]);
    record.mockRestore();
    const { body: history } = await helper.get(path(member, 'history')).expect(200);
    expect(history.entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        staff_id: helper.memberId,
        action: 'find-member',
        field: 'email',
        reason: null,
      },
    ]);
  });

  it('takes the value from the body only', async () => {
    const query = '/staff/members/search?by=email&value=ada%40mail.example';
    const wrong = [
      await helper.post(query, {}),
      await search({ by: 'email', value: ' ' }),
      await search({ by: 'phone', value: '+1 555 0100' }),
      await search({ by: 'id', value: { $gt: '' } }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('is limited by staff account, whatever it finds', async () => {
    const [thief, other] = [await service.staff(), await service.staff()];
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await search({ by: 'id', value: String(count) }, thief)).status);
    expect(statuses.slice(-2)).toEqual([200, 429]);
    await search({ by: 'id', value: '1' }, other).expect(200);
  });
});
