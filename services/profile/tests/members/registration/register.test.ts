import type { Field } from '@covalence/contract/catalogue/field';
import { fields } from '@covalence/contract/catalogue/fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { toNoon } from '../../support/noon.ts';
import { registration, startService, type ServiceUnderTest } from '../../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('register');
});
afterAll(() => service.close());

interface Documented {
  readonly content: {
    readonly 'application/json': {
      readonly examples: { readonly example: { readonly value: Record<string, unknown> } };
    };
  };
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../../../../gateway/documents/openapi.json', import.meta.url), 'utf8'),
) as {
  readonly paths: {
    readonly '/members': {
      readonly post: { readonly requestBody: Documented; readonly responses: { readonly '200': Documented } };
    };
  };
};
const { post: documentedPost } = paths['/members'];

/** The date of birth of somebody who is so old since January 2, or has yet to be. */
const newYear = (age: number) => `01/02/${new Date().getUTCFullYear() - age}`;

/** Parameter, value (undefined: left out) and the codes it must answer. */
const refusals: [name: string, fields: object, codes: number[]][] = [
  ['unknown field', { shoe_size: 44 }, [10000]],
  ['field of the update only', { searchable: true }, [10000]],
  ['gender', { gender: 'other' }, [10001]],
  ['gender missing', { gender: undefined }, [10001]],
  ['gender null', { gender: null }, [10001]],
  ['genderpreference', { genderpreference: 'x' }, [10002]],
  ['country', { country: 'USA' }, [10011]],
  ['country unknown', { country: 'ZZ' }, [10011]],
  ['country missing', { country: undefined }, [10011]],
  ['country alone', { city: undefined, state: undefined, zip: undefined }, [10051, 10061, 10041]],
  ['firstname empty', { firstname: '' }, [10021]],
  ['firstname too long', { firstname: 'a'.repeat(101) }, [10021]],
  ['lastname too long', { lastname: 'a'.repeat(101) }, [10022]],
  ['latitude', { latitude: 91, longitude: 10 }, [10031]],
  ['longitude', { latitude: 1, longitude: 'far' }, [10032]],
  ['latitude alone', { latitude: 1 }, [10032]],
  ['longitude alone', { longitude: 1 }, [10031]],
  ['zip empty', { zip: '' }, [10041]],
  ['zip too long', { zip: '1'.repeat(21) }, [10041]],
  ['city empty', { city: '' }, [10051]],
  ['city too long', { city: 'a'.repeat(256) }, [10051]],
  ['state too long', { state: 'a'.repeat(46) }, [10061]],
  ['username', { username: 'not valid!' }, [10102]],
  ['username too long', { username: 'a'.repeat(101) }, [10102]],
  ['username missing', { username: undefined }, [10102]],
  ['password short', { password: 'short' }, [10201]],
  ['password missing', { password: undefined }, [10201]],
  ['email', { email: 'nobody' }, [10301]],
  ['email too long', { email: `${'a'.repeat(120)}@example.org` }, [10301]],
  ['dateofbirth', { dateofbirth: '1990-05-17' }, [10401]],
  ['dateofbirth that does not exist', { dateofbirth: '02/30/1990' }, [10401]],
  ['too young', { dateofbirth: newYear(17) }, [10402]],
  ['too young for the site', { siteid: 4, dateofbirth: newYear(20) }, [10402]],
  ['headline empty', { headline: '' }, [10501]],
  ['headline too long', { headline: 'a'.repeat(76) }, [10501]],
  ['aboutme too long', { aboutme: 'a'.repeat(1501) }, [10601]],
  ['world_plus', { world_plus: 'maybe' }, [20703]],
  ['choice', { smoking: 11 }, [20901]],
  ['agefrom alone', { agefrom: 20 }, [20901]],
  ['subid too long', { subid: '💙'.repeat(101) }, [20901]],
  ['field the site rejects', { siteid: 4, religion: 10 }, [10000]],
  [
    'all at once, in the order of the table',
    { nonsense: 1, aboutme: '', email: 'x', gender: 'x', password: 'short', city: '', firstname: '' },
    [10001, 10201, 10301, 10051, 10021, 10601, 10000],
  ],
];

describe.each(['json', 'form'])('refusals in a %s body', (type) => {
  it.each(refusals)('%s', async (_name, fields, codes) => {
    const body = Object.fromEntries(
      Object.entries(registration(fields)).filter(([, value]) => value !== undefined),
    );
    const response = await request(service.app).post('/members').type(type).send(body);
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ fail: 'Invalid Argument', failcode: codes });
  });
});

/** POST /members with a query string beside its body. */
const postWithQuery = (query: Record<string, unknown>, body: object) =>
  request(service.app)
    .post(`/members?${new URLSearchParams(query as Record<string, string>).toString()}`)
    .send(body);

describe('registration', () => {
  it.each([
    ['wrong client secret', { client_secret: 'wrong', gender: 'x' }],
    ['no client', { client_id: undefined }],
    ['no siteid', { siteid: undefined, gender: 'x' }],
    ['unknown siteid', { siteid: 99 }],
    ['siteid no number', { siteid: 'one' }],
  ])('answers 403 without code for %s', async (_name, fields) => {
    const { status, body } = await service.tryRegister(fields);
    expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
  });

  it('ignores the query string, where a secret or password would stay in logs', async () => {
    const { client_secret, password, ...rest } = registration({});
    const withoutSecret = await postWithQuery({ client_secret }, { ...rest, password });
    expect([withoutSecret.status, withoutSecret.body]).toEqual([403, { fail: 'Invalid Argument' }]);
    const withoutPassword = await postWithQuery({ password }, { ...rest, client_secret });
    expect(withoutPassword.body).toEqual({ fail: 'Invalid Argument', failcode: [10201] });
    const overridden = await postWithQuery(
      { gender: 'x', nonsense: 1 },
      { ...rest, client_secret, password },
    );
    expect(overridden.status).toBe(200);
  });

  it.each(['json', 'form'] as const)('takes the example of the interface documents as %s', async (type) => {
    const { example } = documentedPost.requestBody.content['application/json'].examples;
    const { client_id, client_secret } = registration({});
    const once = { username: `documented${type}`, email: `documented-${type}@mail.example` };
    const sent = { ...example.value, client_id, client_secret, ...once };
    const { status, body } = await request(service.app).post('/members').type(type).send(sent);
    expect([status, body]).toMatchObject([200, { city: example.value['city'], code: expect.any(String) }]);
    const answer = documentedPost.responses['200'].content['application/json'].examples.example.value;
    // Some sites show the zodiac, and that of the example does not.
    const { zodiac: _zodiac, ...record } = body as Record<string, unknown>;
    expect(Object.keys(record).filter((name) => !(name in answer))).toEqual([]);
  });

  it('answers the own record with a code and publishes the member', async () => {
    const events = service.gather('search.index');
    const { status, body } = await service.tryRegister({
      platform: 'app_android',
      username: 'Ada1815',
      'first-name': 'Ada',
      lastName: 'Lovelace',
      zip: undefined,
      'zip-postal-code': '78702',
      'display-name-preference': 'firstname',
      'i-Reading': '40',
      agefrom: 25,
      ageto: 40,
      subid: '💙'.repeat(100),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      username: 'Ada1815',
      display_name: 'Ada L',
      first_initial: 'Ada L',
      userstatus: 'approved',
      zip: '78702',
      zippostalcode: '78702',
      agefrom: 25,
      dateofbirth: { year: 1990, month: 5, day: 17 },
      missing_required_fields: ['headline', 'about_me', 'smoking'],
      num_required_fields: 3,
      world_plus: 'undecided',
      covalence: 'none',
    });
    expect(body.code).toBe(`code-of-${body.member_id}`);
    expect(service.auth.accounts.get(body.member_id)).toMatchObject({ id: body.id, confirmed: true });
    const told = await until('the event', () => events.find(({ member }) => member === body.id));
    expect(told.type).toBe('member.updated');
  });

  it('treats null as absent', async () => {
    const names = ['first-name', 'zip', 'latitude', 'longitude', 'headline', 'agefrom', 'smoking', 'locale'];
    const { status, body } = await service.tryRegister(Object.fromEntries(names.map((name) => [name, null])));
    expect(status).toBe(200);
    expect(body).toMatchObject({ city: 'Austin', zip: '', headline: '', first_name: '', agefrom: null });
  });

  it('accepts coordinates instead of a place, and is new on a site with manual review', async () => {
    const { body } = await service.tryRegister({
      siteid: '2',
      country: undefined,
      city: undefined,
      state: undefined,
      zip: undefined,
      latitude: '30.27',
      longitude: '-97.74',
    });
    expect(body).toMatchObject({
      userstatus: 'new',
      latitude: 30.27,
      longitude: -97.74,
      city: 'Austin',
      state: 'Texas',
      country: 'US',
      zip: '',
    });
  });

  it.each([
    [1, 18],
    [4, 21],
  ])('on site %d takes who turns %d today, and not who does tomorrow', async (siteid, age) => {
    const dayOf = (daysLater: number) => new Date(service.context.clock().getTime() + daysLater * 86_400_000);
    // Years of birth may have no February 29.
    do toNoon(service);
    while ([0, 1].some((days) => dayOf(days).toISOString().includes('-02-29T')));
    const born = (daysLater: number) => {
      const day = dayOf(daysLater);
      const date = [day.getUTCMonth() + 1, day.getUTCDate()].map((part) => String(part).padStart(2, '0'));
      return [...date, day.getUTCFullYear() - age].join('/');
    };
    const tooYoung = await service.tryRegister({ siteid, dateofbirth: born(1) });
    expect(tooYoung.body).toEqual({ fail: 'Invalid Argument', failcode: [10402] });
    const { body } = await service.tryRegister({ siteid, dateofbirth: born(0) });
    expect(body.age).toBe(age);
  });

  it('reports a taken username and email only where everything else is valid', async () => {
    const taken = { username: 'Taken1', email: 'taken@example.org' };
    await service.register(taken);
    const again = await service.tryRegister({ username: 'TAKEN1', email: 'Taken@example.org' });
    expect(again.body.failcode).toEqual([10101, 10302]);
    for (const [wrong, code] of [
      [{ gender: 'x' }, 10001],
      [{ password: 'short' }, 10201],
      [{ nonsense: 1 }, 10000],
      [{ affiliateid: 'x'.repeat(101) }, 20901],
    ] as const) {
      const refused = await service.tryRegister({ ...taken, ...wrong });
      const free = await service.tryRegister(wrong);
      expect([refused.body.failcode, free.body.failcode]).toEqual([[code], [code]]);
    }
    await expect(service.tryRegister({ ...taken, siteid: 3 })).resolves.toMatchObject({ status: 200 });
  });
});

/** A value that a field takes; undefined for those that every registration has anyway, and for coordinates. */
const valueOf = ({ kind, values: [first] = [], limits }: Field): unknown =>
  ({
    text: 'a'.repeat(Math.min(limits?.max ?? 20, 20)),
    integer: limits?.min,
    boolean: 'true',
    choice: first?.code,
    choices: first && [first.code],
    keyword: first?.code,
    locale: 'en_US',
    timezone: 'Europe/Berlin',
  })[kind as string];

/** A value for every field that an operation takes, under its name with hyphens; those of `but` are left out. */
const every = (operation: 'register' | 'update', but: readonly string[]) =>
  Object.fromEntries(
    fields
      .filter(({ name, only = operation }) => only === operation && !but.includes(name))
      .map((field) => [field.name.replaceAll('_', '-'), valueOf(field)])
      .filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;

describe('every field of the catalogue', () => {
  const place = ['city', 'state', 'zip'];

  it('may be sent at registration, and in an update', async () => {
    const sent = every('register', place);
    expect(Object.keys(sent).length).toBeGreaterThan(200);
    const member = await service.register(sent);
    const again = every('update', [...place, 'about_me', 'auto_renew', 'deactivated']);
    expect(Object.keys(again).length).toBeGreaterThan(195);
    const { status, body } = await member.post('/members/self', again);
    expect([status, body]).toEqual([200, {}]);
    const kept = (await service.context.members.store.byId(member.id))?.fields ?? {};
    const settings = ['auto_renew', 'online', 'password'];
    const lost = Object.keys(sent).map((name) => name.replaceAll('-', '_'));
    expect(lost.filter((name) => !(name in kept) && !settings.includes(name))).toEqual([]);
  });
});

const everybody = () =>
  service.context.members.store.between({ after: 0, before: Infinity, descending: false }, 1_000);

describe('an interrupted registration', () => {
  it('leaves no member when the account cannot be reserved', async () => {
    const before = await everybody();
    service.auth.failNext('reserve');
    const { status, headers } = await service.tryRegister({});
    expect(status).toBe(503);
    expect(headers['retry-after']).toBeDefined();
    await expect(everybody()).resolves.toHaveLength(before.length);
  });

  it('is settled by the auth service when the confirmation is lost', async () => {
    service.auth.failNext('confirm');
    const { status } = await service.tryRegister({ username: 'Unconfirmed' });
    expect(status).toBe(503);
    const [member_id, account] =
      [...service.auth.accounts].find(([, each]) => each.username === 'Unconfirmed') ?? [];
    const settled = await service.internal('/internal/members/settle', { member_id, id: account?.id });
    expect(settled.body).toEqual({ exists: true });
  });

  it('cannot insert a member that was settled as absent', async () => {
    const { store } = service.context.members;
    const [member_id, id] = ['0190a000-0000-7000-8000-000000000001', 999_999];
    for (let time = 0; time < 2; time += 1) {
      const { body } = await service.internal('/internal/members/settle', { member_id, id });
      expect(body).toEqual({ exists: false });
    }
    const other = await service.register();
    const member = await store.byId(other.id);
    if (!member) throw new Error('the member is not there');
    await expect(store.insert({ ...member, _id: id, member_id })).resolves.toBe(false);
    await expect(store.insertMany([{ ...member, _id: id, member_id }])).resolves.toBe(false);
    expect((await service.internal('/internal/members/state', { member_id, id })).status).toBe(404);
    // The tombstone is no member to any read.
    const { parts, fields } = { parts: ['siteid'] as const, fields: [] };
    const read = [await store.byId(id), await store.byUuid(member_id), await store.change(id, () => ({}))];
    expect(read).toEqual([undefined, undefined, undefined]);
    const lists = [
      await store.byIds([id]),
      await store.byIds([id], { parts, fields }),
      await store.eligibilityOf([id]),
    ];
    expect([...lists, [...(await store.idsOf([member_id]))]]).toEqual([[], [], [], []]);
    expect((await everybody()).filter(({ _id }) => _id === id)).toEqual([]);
    // Its UUID is free for an account with another number.
    await expect(store.insert({ ...member, _id: id + 1, member_id })).resolves.toBe(true);
    const state = await service.internal('/internal/members/state', { member_id, id: id + 1 });
    expect(state.body).toMatchObject({ id: id + 1 });
    expect((await service.internal('/internal/members/state', { member_id, id: other.id })).status).toBe(404);
  });
});
