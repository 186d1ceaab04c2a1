import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemberPatch } from '../../../src/members/store/member-store.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('sent-back');
});
afterAll(() => service.close());

const own = async (member: TestMember) => (await member.get('/users/self').expect(200)).body;
const stored = (member: TestMember) => service.context.members.store.byId(member.id);
const patch = (member: TestMember, change: MemberPatch) =>
  service.context.members.store.change(member.id, () => change);
const update = (member: TestMember, fields: object) => member.post('/members/self', fields);

const longText = 'I like long walks. '.repeat(10).trim();

/** Members in states whose records differ. */
const members: [name: string, prepare: () => Promise<TestMember>][] = [
  ['who has only what a registration needs', () => service.register()],
  [
    'with a position alone',
    () =>
      service.register({
        city: undefined,
        state: undefined,
        zip: undefined,
        country: undefined,
        latitude: 0,
        longitude: -30,
      }),
  ],
  [
    'with texts that an update would refuse, and choices',
    () => service.register({ headline: 'Short', aboutme: 'Short too', marital_status: 20, p_mood: 20 }),
  ],
  [
    'with texts and an email address that wait',
    async () => {
      const member = await service.register({ siteid: 2, headline: 'A first headline' });
      const waiting = { headline: 'Another headline', about_me: longText, city: 'Dallas' };
      const names = { username: `Waits${member.id}`, email: `waits${member.id}@example.org` };
      await update(member, { ...waiting, ...names }).expect(200);
      return member;
    },
  ],
  [
    'who is set offline, hidden and a subscriber, with default ages',
    async () => {
      const member = await service.register({ locale: 'de_DE', marital_status: 20 });
      await update(member, { online: false, searchable: false, agefrom: 30, ageto: 40 }).expect(200);
      const expires_at = new Date(Date.now() + 86_400_000);
      await patch(member, { membership: { status: 'active', autorenew: true, expires_at, version: 1 } });
      return member;
    },
  ],
];

describe.each(['json', 'form'])('the whole own record sent back as %s', (type) => {
  it.each(members)('changes nothing for a member %s', async (_name, prepare) => {
    const member = await prepare();
    const [record, before] = [await own(member), await stored(member)];
    const calls = service.auth.calls.length;
    await update(member, record).type(type).expect(200, {});
    expect(await own(member)).toEqual({ ...record, since_active: expect.any(Number) });
    expect(await stored(member)).toEqual(before);
    expect(service.auth.calls.slice(calls).filter((call) => call.startsWith('change'))).toEqual([]);
  });
});

describe('an edited record', () => {
  it('changes what was edited, also where the record has an older name of the field too', async () => {
    const member = await service.register({ headline: 'Short', aboutme: 'Short too' });
    const record = await own(member);
    const date = { ...record.dateofbirth, day: 18 };
    const since_active = expect.any(Number);
    await update(member, { ...record, about_me: longText, dateofbirth: date, agefrom: 30, ageto: 40 }).expect(
      200,
    );
    const after = { ...record, about_me: longText, aboutme: longText, dateofbirth: date, since_active };
    expect(await own(member)).toEqual({ ...after, agefrom: 30, ageto: 40 });
  });

  it.each([
    ['an age', { agefrom: 31 }],
    ['a coordinate', { latitude: 32.7 }],
    ['a country', { country: 'MX' }],
  ])('keeps what belongs to %s that alone was edited', async (_name, edit) => {
    const member = await service.register({ zip: '75201', city: 'Dallas', state: 'Texas' });
    await update(member, { agefrom: 30, ageto: 40 }).expect(200);
    await update(member, { ...(await own(member)), ...edit }).expect(200, {});
    expect(await own(member)).toMatchObject({ agefrom: 30, ageto: 40, ...edit });
  });

  it('moves the place with an edited city', async () => {
    const member = await service.register();
    await update(member, { ...(await own(member)), city: 'Dallas' }).expect(200);
    expect(await own(member)).toMatchObject({ city: 'Dallas', state: 'Texas', zip: '', latitude: 32.78306 });
  });

  it('is refused for the fields that are wrong', async () => {
    const member = await service.register();
    const record = await own(member);
    const { body } = await update(member, { ...record, headline: 'x', gender: 'x', shoe_size: 1 });
    expect(body).toEqual({ fail: 'Invalid Argument', failcode: [10501, 20101, 10000] });
    const another = await own(await service.register());
    const { body: refused } = await update(member, another).expect(403);
    expect(refused.failcode).toContain(10000);
  });
});

describe('parts of a record', () => {
  it('include the date of birth as an object', async () => {
    const member = await service.register();
    const date = (day: unknown) => update(member, { date_of_birth: { year: 1990, month: 5, day } });
    await date(17).expect(200);
    await date('18').type('form').expect(200);
    expect((await own(member)).dateofbirth).toEqual({ year: 1990, month: 5, day: 18 });
    for (const day of [32, 0, -1, 1.5, null, 'x', undefined, { $gt: 1 }]) {
      expect((await date(day)).body.failcode).toEqual([20401]);
    }
    expect((await update(member, { date_of_birth: {} })).body.failcode).toEqual([20401]);
    const registered = await service.tryRegister({ dateofbirth: { year: 1990, month: 5, day: 17 } });
    expect(registered.body.failcode).toEqual([10401]);
  });

  it.each([[null], ['']])('include default ages of %j, which clear them', async (empty) => {
    const member = await service.register();
    const ages = async () => {
      const { agefrom, ageto } = await own(member);
      return [agefrom, ageto];
    };
    await update(member, { agefrom: empty, ageto: empty }).expect(200);
    await update(member, { agefrom: 30, ageto: 40 }).expect(200);
    const half = await update(member, { agefrom: empty, ageto: 40 });
    expect(half.body.failcode).toEqual([20901]);
    expect(await ages()).toEqual([30, 40]);
    await update(member, { agefrom: empty, ageto: empty }).expect(200);
    expect(await ages()).toEqual([null, null]);
  });
});
