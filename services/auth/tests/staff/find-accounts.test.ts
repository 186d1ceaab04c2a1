import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';
import type { TestMember } from '../support/people.ts';

const idsOf = (...members: TestMember[]) => members.map(({ member_id }) => member_id);

describe('POST /internal/accounts/find', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('find-accounts');
  });
  afterAll(() => auth.close());

  const find = async (by: string, value: string, siteids = [1, 2], limit = 20): Promise<string[]> => {
    const path = '/internal/accounts/find';
    const { body } = await auth.internal(path, { by, value, siteids, limit }).expect(200);
    return (body as { member_ids: string[] }).member_ids;
  };

  it('finds a username in any case, then those that begin with it, on the sites asked for', async () => {
    const longer = await auth.addMember({ username: 'Tobias_B' });
    const exact = await auth.addMember({ username: 'Tobias' });
    const elsewhere = await auth.addMember({ username: 'Tobias', siteid: 2 });
    const other = await auth.addMember({ username: 'Tobi\u{1F600}x' });
    expect(await find('username', ' tobIAS ', [1])).toEqual(idsOf(exact, longer));
    expect(await find('username', 'TOBIAS')).toEqual(idsOf(exact, elsewhere, longer));
    expect(new Set(await find('username', 'tobi', [1]))).toEqual(new Set(idsOf(exact, longer, other)));
    expect(await find('username', 'tobias', [1], 1)).toEqual(idsOf(exact));
    expect(await find('username', 'tobias', [])).toEqual([]);
  });

  it('lists no site by a beginning of one or two characters', async () => {
    const short = await auth.addMember({ username: 'Jo' });
    await auth.addMember({ username: 'Jolanda' });
    expect(await find('username', 'j')).toEqual([]);
    expect(await find('username', 'jo')).toEqual(idsOf(short));
    expect(await find('username', ' ')).toEqual([]);
  });

  it('finds a username that waits for approval, and a pending account', async () => {
    const renamed = await auth.addMember();
    const claim = { member_id: renamed.member_id, username: 'Wilhelmina' };
    await auth.internal('/internal/accounts/claim-username', claim).expect(200);
    expect(await find('username', 'wilhelmina')).toEqual(idsOf(renamed));
  });

  it('finds an email address as a whole, also one that is to be confirmed', async () => {
    const member = await auth.addMember({ email: 'Ada.Lane@mail.example' });
    await auth.addMember({ email: 'ada.lane@mail.example', siteid: 2 });
    expect(await find('email', 'ada.lane@MAIL.example ', [1])).toEqual(idsOf(member));
    expect(await find('email', 'ada.lane@mail')).toEqual([]);
    const change = { member_id: member.member_id, email: 'ada.new@mail.example' };
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    expect(await find('email', 'ADA.new@mail.example', [1])).toEqual(idsOf(member));
  });

  it('finds a sign-in by its id', async () => {
    const member = await auth.addMember();
    const end = await auth.browser().signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const [family] = await auth.context.tokens.families.of(member.member_id, new Date(), 1);
    expect(await find('sign_in', family?._id ?? '', [1])).toEqual(idsOf(member));
    expect(await find('sign_in', family?._id ?? '', [2])).toEqual([]);
    expect(await find('sign_in', 'none')).toEqual([]);
  });

  it('makes the same calls for an address of another site as for one that nobody has', async () => {
    await auth.addMember({ email: 'elsewhere@mail.example', username: 'Elsewhere', siteid: 2 });
    const { claims } = auth.context.accounts;
    const asked = [jest.spyOn(claims, 'find'), jest.spyOn(claims, 'beginningWith')];
    const callsFor = async (by: string, value: string) => {
      for (const spy of asked) spy.mockClear();
      expect(await find(by, value, [1])).toEqual([]);
      return asked.map((spy) => spy.mock.calls.map(([ids]) => ids.map((id) => id.replace(value, '…'))));
    };
    expect(await callsFor('email', 'elsewhere@mail.example')).toEqual([[['1:email:…']], []]);
    expect(await callsFor('email', 'nobody@mail.example')).toEqual([[['1:email:…']], []]);
    const both = [[['1:username:…']], [['1:username:…']]];
    expect(await callsFor('username', 'elsewhere')).toEqual(both);
    expect(await callsFor('username', 'nowhere')).toEqual(both);
    for (const spy of asked) spy.mockRestore();
  });
});
