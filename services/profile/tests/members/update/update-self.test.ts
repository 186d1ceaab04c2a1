import { unavailable } from '@covalence/contract/failure';
import { redisKeys } from '@covalence/contract/redis-keys';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import type { Peer } from '@covalence/http/peer';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';

/** Calls to billing, and its memberships by numeric member id; it is unavailable for other members. */
const asked: { member: number; autorenew: boolean }[] = [];
const memberships = new Map<number, Awaited<ReturnType<Peer<'billing'>['switchRenewal']>>['membership']>();
const billing: Pick<Peer<'billing'>, 'switchRenewal'> = {
  switchRenewal: (input) => {
    asked.push(input);
    const membership = memberships.get(input.member);
    if (membership === undefined) throw unavailable(new Error('billing is away'));
    return Promise.resolve({ membership: membership && { ...membership, autorenew: input.autorenew } });
  },
};

let service: ServiceUnderTest;
let automatic: TestMember;
let manual: TestMember;
beforeAll(async () => {
  service = await startService('update', { overrides: { billing } });
  automatic = await service.register({ email: 'first@example.org' });
  manual = await service.register({ siteid: 2, headline: 'A first headline', gender: 'Female' });
  await service.register({ username: 'Occupied', email: 'occupied@example.org' });
});
afterAll(() => service.close());

const own = async (member: TestMember) => (await member.get('/users/self')).body;
const longText = 'I like long walks. '.repeat(10).trim();

const refusals: [name: string, fields: object, codes: number[]][] = [
  ['unknown field', { shoe_size: 1 }, [10000]],
  ['password', { password: 'another password' }, [10000]],
  ['photo field', { photo_caption: 'me' }, [10000]],
  ['genderpreference', { gender_preference: 'x' }, [10002]],
  ['first_name', { first_name: '' }, [10021]],
  ['last_name', { last_name: 'a'.repeat(101) }, [10022]],
  ['latitude', { latitude: 'x', longitude: 1 }, [10031]],
  ['longitude alone', { longitude: 1 }, [10031]],
  ['longitude', { latitude: 1, longitude: 181 }, [10032]],
  ['city', { city: '' }, [10051]],
  ['state', { state: '' }, [10061]],
  ['another country alone', { country: 'DE' }, [10051, 10061, 20301]],
  ['username', { username: 'a b' }, [10102]],
  ['username taken', { username: 'OCCUPIED' }, [10101]],
  ['headline short', { headline: 'too short' }, [10501]],
  ['headline long', { headline: 'a'.repeat(76) }, [10501]],
  ['about_me short', { about_me: 'a'.repeat(99) }, [10601]],
  ['about_me long', { 'about-me': 'a'.repeat(1501) }, [10601]],
  ['gender', { gender: 'x' }, [20101]],
  ['country', { country: 'USA', city: 'Austin' }, [20201]],
  ['zip', { zip: '' }, [20301]],
  ['date_of_birth', { date_of_birth: 'soon' }, [20401]],
  ['too young', { date_of_birth: '01/01/2020' }, [20403]],
  ['email', { email: 'nobody' }, [20501]],
  ['email taken', { email: 'OCCUPIED@example.org' }, [20502]],
  ['display_name_preference', { display_name_preference: 'x' }, [20701]],
  ['online', { online: 'perhaps' }, [20702]],
  ['world_plus', { world_plus: 'x' }, [20703]],
  ['communityoptin', { communityoptin: 'x' }, [20703]],
  ['deactivated', { deactivated: 'perhaps' }, [20704]],
  ['searchable', { searchable: 'perhaps' }, [20801]],
  ['choice', { 'eye-color': 11 }, [20901]],
  ['ageto alone', { ageto: 40 }, [20901]],
  ['age range upside down', { agefrom: 40, ageto: 30 }, [20901]],
  [
    'all at once, in the order of the table',
    {
      nonsense: 1,
      gender: 'x',
      headline: 'x',
      about_me: 'x',
      world_plus: 'x',
      email: 'x',
    },
    [10601, 10501, 20703, 20101, 20501, 10000],
  ],
  [
    'taken names beside another fault',
    { username: 'OCCUPIED', email: 'occupied@example.org', gender: 'x' },
    [20101],
  ],
  ['taken names alone', { username: 'OCCUPIED', email: 'occupied@example.org' }, [10101, 20502]],
];

it('of an email is limited by the hour, because each causes a mail', async () => {
  const member = await service.register({ email: 'own@example.org' });
  const change = (email: string) => member.post('/members/self', { email });
  for (const turn of Array(5).keys()) {
    await change(`other${turn}@example.org`).expect(200);
    await change('OCCUPIED@example.org').expect(403);
    // No other one.
    await change(`OTHER${turn}@example.org`).expect(200);
  }
  const calls = service.auth.calls.length;
  for (const email of ['occupied@example.org', 'free@example.org']) {
    const { headers, body } = await change(email).expect(429);
    expect(body).toEqual({ fail: 'Too Many Requests' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
  }
  expect(service.auth.calls.slice(calls)).toEqual([]);
  await expect(own(member)).resolves.toMatchObject({
    email: 'own@example.org',
    email_moderated: 'OTHER4@example.org',
  });
  await member
    .post('/members/self', { email: 'other4@example.org', headline: 'The rest goes on' })
    .expect(200);
  await automatic.post('/members/self', { email: 'occupied@example.org' }).expect(403);
});

describe.each(['json', 'form'])('refusals in a %s body', (type) => {
  it.each(refusals)('%s', async (_name, fields, codes) => {
    const response = await automatic.post('/members/self', fields).type(type);
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ fail: 'Invalid Argument', failcode: codes });
  });
});

describe('update', () => {
  it('needs a token', async () => {
    const { status, headers } = await request(service.app).post('/members/self').send({});
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer realm=/);
  });

  it('answers an empty object and applies everything', async () => {
    const fields = {
      headline: 'A headline of mine',
      aboutme: longText,
      world_plus: 'opted-in',
      'eye-color': '20',
      searchable: 'false',
      online: 0,
      username: 'NewName1',
      email: 'second@example.org',
      agefrom: '30',
      ageto: '40',
    };
    const { status, body } = await automatic.post('/members/self', fields).type('form');
    expect({ status, body }).toEqual({ status: 200, body: {} });
    await expect(own(automatic)).resolves.toMatchObject({
      headline: 'A headline of mine',
      about_me: longText,
      world_plus: 'opted_in',
      searchable: false,
      online: false,
      username: 'NewName1',
      email: expect.not.stringContaining('second@'),
      email_moderated: 'second@example.org',
      agefrom: 30,
    });
    expect(service.auth.accounts.get(automatic.memberId)?.username).toBe('NewName1');
    await automatic.post('/members/self', { searchable: true, online: true });
    await expect(own(automatic)).resolves.toMatchObject({ searchable: true, online: true });
  });

  it("answers other services the country and the locale, which is the site's until the member chooses one", async () => {
    const localeOf = async (id: number) => (await service.internal('/internal/members/locale', { id })).body;
    const member = await service.register();
    expect(await localeOf(member.id)).toEqual({ locale: 'en_US', siteid: 1, country: 'US' });
    await member.post('/members/self', { locale: 'de_AT' });
    expect(await localeOf(member.id)).toEqual({ locale: 'de_AT', siteid: 1, country: 'US' });
    expect((await service.internal('/internal/members/locale', { id: 999_999 })).status).toBe(404);
  });

  it('changes nothing when one field is bad', async () => {
    const before = await service.context.members.store.byId(automatic.id);
    const calls = service.auth.calls.length;
    const { status } = await automatic.post('/members/self', {
      first_name: 'Grace',
      username: 'AnotherName',
      email: 'third@example.org',
      headline: 'x',
    });
    expect(status).toBe(403);
    await expect(service.context.members.store.byId(automatic.id)).resolves.toEqual(before);
    expect(service.auth.calls.slice(calls)).toEqual([]);
  });

  it('releases a username claim when the email is refused', async () => {
    service.auth.failNext('change-email');
    const { status } = await automatic.post('/members/self', {
      username: 'AnotherName',
      email: 'fourth@example.org',
    });
    expect(status).toBe(503);
    expect(service.auth.calls.slice(-3)).toEqual(['claim-username', 'change-email', 'claim-username']);
    await expect(own(automatic)).resolves.toMatchObject({ username: 'NewName1' });
  });

  it('accepts another spelling of the own username', async () => {
    const member = await service.register({ username: 'Ｗｉｄｅ１' });
    await member.post('/members/self', { username: 'wide1' }).expect(200);
    await expect(own(member)).resolves.toMatchObject({ username: 'wide1' });
  });

  it("of two parallel usernames, the profile's one is the login name", async () => {
    const member = await service.register();
    const { auth } = service.context;
    const { applyUsername } = auth;
    const late = jest.spyOn(auth, 'applyUsername').mockImplementationOnce(async (input) => {
      await member.post('/members/self', { username: 'Second' }).expect(200);
      return applyUsername(input);
    });
    await member.post('/members/self', { username: 'First' }).expect(200);
    late.mockRestore();
    await expect(own(member)).resolves.toMatchObject({ username: 'Second' });
    expect(service.auth.accounts.get(member.memberId)).toMatchObject({ username: 'Second' });
  });

  it('writes no version for an update that changes nothing', async () => {
    const before = await service.context.members.store.byId(automatic.id);
    const cleared = { height: null, deactivated: false, reason_id: '3' };
    const same = { username: 'NewName1', headline: 'A headline of mine', ...cleared };
    await automatic.post('/members/self', same).expect(200, {});
    await expect(service.context.members.store.byId(automatic.id)).resolves.toEqual(before);
  });

  it('replaces coordinates that belong to another place', async () => {
    await automatic.post('/members/self', { latitude: 30.3, longitude: -97.7 });
    await expect(own(automatic)).resolves.toMatchObject({ latitude: 30.3, longitude: -97.7 });
    await automatic.post('/members/self', { country: 'DE', city: 'Berlin' });
    await expect(own(automatic)).resolves.toMatchObject({
      city: 'Berlin',
      latitude: 52.52437,
      longitude: 13.41053,
    });
  });

  it('allows one change of gender and birth date', async () => {
    const member = await service.register();
    const same = await member.post('/members/self', { gender: 'Male', date_of_birth: '05/17/1990' });
    expect(same.status).toBe(200);
    const first = await member.post('/members/self', { gender: 'Female', date_of_birth: '05/18/1990' });
    expect(first.status).toBe(200);
    const second = await member.post('/members/self', { gender: 'Male', date_of_birth: '05/19/1990' });
    expect(second.body.failcode).toEqual([20102, 20402]);
  });

  it('keeps moderated texts apart on a site with manual review', async () => {
    await manual.post('/members/self', { headline: 'Another headline', city: 'Dallas', first_name: 'Eve' });
    await expect(own(manual)).resolves.toMatchObject({
      headline: 'A first headline',
      headline_moderated: 'Another headline',
      city: 'Austin',
      city_moderated: 'Dallas',
      first_name: 'Eve',
    });
    const filling = await service.register({ siteid: 2 });
    const missing = async () => (await own(filling)).missing_required_fields as string[];
    expect(await missing()).toContain('headline');
    await filling.post('/members/self', { headline: 'A headline that waits' }).expect(200);
    expect(await missing()).not.toContain('headline');
    await manual.post('/members/self', { headline: 'A first headline', username: 'Waiting1' });
    const record = await own(manual);
    expect(record).not.toHaveProperty('headline_moderated');
    expect(record).toMatchObject({ username: manual.username, username_moderated: 'Waiting1' });
    expect(service.auth.accounts.get(manual.memberId)?.username).toBe(manual.username);
  });

  it('sends a rejected member to review again', async () => {
    await service.context.members.store.change(manual.id, () => ({ userstatus: 'rejected' }));
    await manual.post('/members/self', { online: true });
    await expect(own(manual)).resolves.toMatchObject({ userstatus: 'rejected' });
    await manual.post('/members/self', { last_name: 'Stone' });
    await expect(own(manual)).resolves.toMatchObject({ userstatus: 'new' });
  });

  it('loses nothing when many updates run at once', async () => {
    const member = await service.register();
    const names = ['i_art', 'i_cars', 'i_food', 'i_math', 'i_pets', 'i_rugs', 'i_tennis', 'i_walking'];
    const answers = await Promise.all(names.map((name) => member.post('/members/self', { [name]: 20 })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const stored = await service.context.members.store.byId(member.id);
    expect(names.map((name) => stored?.fields[name])).toEqual(names.map(() => 20));
  });
});

describe('auto_renew', () => {
  it('goes to billing, and the record has it with the answer', async () => {
    const member = await service.register();
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    memberships.set(member.id, { status: 'active', autorenew: true, expires_at, version: Date.now() });
    await member.post('/members/self', { 'auto-renew': 'false', smoking: 20 }).expect(200, {});
    expect(asked.filter((one) => one.member === member.id)).toEqual([
      { member: member.id, autorenew: false },
    ]);
    const { body } = await member.get('/users/self');
    expect(body).toMatchObject({ membership_status: 'active', autorenew: false, expirationdate: expires_at });
    const older = { status: 'none' as const, autorenew: false, expires_at: null, version: 1 };
    memberships.set(member.id, older);
    await member.post('/members/self', { auto_renew: true }).expect(200);
    expect((await member.get('/users/self')).body).toMatchObject({ membership_status: 'active' });
  });

  it('changes nothing without a membership, nor while billing is down', async () => {
    const member = await service.register();
    memberships.set(member.id, null);
    await member.post('/members/self', { auto_renew: true }).expect(200, {});
    const before = await service.context.members.store.byId(member.id);
    memberships.delete(member.id);
    const calls = service.auth.calls.length;
    const others = { smoking: 20, email: 'renewed@example.org', username: 'Renewed' };
    await member.post('/members/self', { auto_renew: true, ...others }).expect(503);
    expect(service.auth.calls.slice(calls)).toEqual(['check']);
    expect(await service.context.members.store.byId(member.id)).toEqual(before);
    await member.post('/members/self', { auto_renew: 'perhaps' }).expect(403);
    expect(asked.filter((one) => one.member === member.id)).toHaveLength(2);
  });
});

describe('deactivation', () => {
  it('takes effect at once and ends with the reactivation', async () => {
    const member = await service.register();
    const live = service.gather('updates.live');
    const key = redisKeys.deactivated(service.context.config.NAMESPACE, member.id);
    const { status, body } = await member.post('/members/self', { deactivated: true, reason_id: 3 });
    expect({ status, body }).toEqual({ status: 200, body: {} });
    await expect(service.context.redis.get(key)).resolves.toBe('1');
    const refused = await member.get('/users/self');
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: { fail: 'Deactivated' },
    });
    await until('member.deactivated', () =>
      live.find(({ type, member: id }) => type === 'member.deactivated' && id === member.id),
    );
    const ids = { member_id: member.memberId, id: member.id };
    const state = await service.internal('/internal/members/state', ids);
    expect(state.body).toEqual({ id: member.id, deactivated: true, suspended: false });

    // The database restores a flag that Redis lost.
    await service.context.redis.del(key);
    await until('the flag again', () => service.context.redis.get(key));

    await expect(service.internal('/internal/members/reactivate', ids)).resolves.toMatchObject({
      status: 200,
    });
    await expect(service.internal('/internal/members/reactivate', ids)).resolves.toMatchObject({
      status: 200,
    });
    await expect(service.context.redis.get(key)).resolves.toBeNull();
    await expect(member.get('/users/self')).resolves.toMatchObject({ status: 200 });
  });
});
