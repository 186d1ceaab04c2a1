import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { banned } from '../../support/banned.ts';
import { line, type Line } from '../../support/import-lines.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('import');
});
afterAll(() => service.close());

const photos = [
  { stem: 'stem-of-an-imported-photo', extension: '.jpg', sizes: [1600, 800, 1000, 500, 250] },
  { stem: 'stem-of-another-photo', extension: '.png', sizes: [800] },
];

const importAll = async (members: readonly object[]) => {
  const { status, body } = await service.internal('/internal/members/import', { members });
  return { status, body };
};

const ownRecord = async ({ member_id, parameters }: Line, id: number) => {
  const member = await service.caller(id, member_id, String(parameters['username']));
  return (await member.get('/users/self').expect(200)).body;
};

/** Imports one member and answers the own record. */
const imported = async (one: Line) => {
  const { body } = await importAll([one]);
  expect(body.refused).toEqual([]);
  return ownRecord(one, body.imported[0].id);
};

const storedMember = (one: Line) => service.context.members.store.byUuid(one.member_id);

const idsIn = ({ body }: { body: { imported: { member_id: string; id: number }[] } }) =>
  body.imported.map(({ member_id, id }) => `${member_id} ${id}`).toSorted();

/** An account that an interrupted import has left. */
const keepAccount = ({ member_id, parameters: { username, email } }: Line, id: number) =>
  service.auth.accounts.set(member_id, {
    id,
    siteid: 1,
    username: String(username),
    email: String(email),
    confirmed: false,
  });

describe('the import', () => {
  it('answers for a banned address as for any other, and withholds the member until staff approve', async () => {
    const ann = await service.staff();
    const grifter = await banned({ service, ann }, { siteid: 1 });
    const lines = [line({ email: grifter.spelling() }), line()];
    const { body } = await importAll(lines);
    expect(body.imported).toMatchObject(lines.map(() => ({ added: true, changed: false, ignored: [] })));
    const idOf = (one: Line | undefined): number =>
      body.imported.find(({ member_id }: { member_id: string }) => member_id === one?.member_id).id;
    const [dirty, clean] = lines.map(idOf);
    const viewer = await service.register();
    await viewer.get(`/users/${clean}`).expect(200);
    expect((await viewer.get(`/users/${dirty}`).expect(403)).body.failcode).toEqual([80061]);
    const { body: queue } = await ann.get('/staff/queue?kind=profile&flagged=true').expect(200);
    expect(queue.entries.map(({ id }: { id: number }) => id)).toEqual([dirty]);
    await ann.post(`/staff/members/${dirty}/approve`).expect(200);
    await viewer.get(`/users/${dirty}`).expect(200);
  });

  it('creates members as sent, with accounts, photos and events', async () => {
    const events = service.gather('search.index');
    const one = line({}, { photos });
    const { status, body } = await importAll([one]);
    expect(status).toBe(200);
    expect(body.refused).toEqual([]);
    const [{ id, added }] = body.imported;
    expect(added).toBe(true);
    expect(service.auth.accounts.get(one.member_id)).toMatchObject({
      id,
      username: one.parameters['username'],
      email: one.parameters['email'],
      confirmed: true,
    });
    expect(await ownRecord(one, id)).toMatchObject({
      dateofbirth: { year: 1991, month: 2, day: 3 },
      date_registered: '2025-01-02T03:04:05.000Z',
      world_plus: 'opted_in',
      photo_count: 2,
      photo_primary: true,
      // The stem is the name that the other system gave; nobody finds the photo by it here.
      photo: { urlstem: expect.stringMatching(/^http:\/\/api\.test\/photos\/[\w-]{32}$/), max1600: '_1600' },
      num_required_fields: 3,
      missing_required_fields: [],
    });
    expect((await storedMember(one))?.presence.last_seen).toEqual(new Date('2026-01-02T02:04:05Z'));
    await until('member.updated', () => events.find(({ member }) => member === id));
    await until('an empty outbox', async () => {
      const waiting = await service.context.connection
        .collection('members')
        .countDocuments({ outboxAt: { $exists: true } });
      return waiting === 0;
    });
  });

  it('accepts every spelling, completes places, and treats null as absent', async () => {
    const one = line({
      gender_preference: undefined,
      'Gender-Preference': 'Male',
      date_of_birth: undefined,
      dateofbirth: '02/03/1991',
      zip: undefined,
      zippostalcode: '02108',
      city: null,
      state: null,
      latitude: null,
      longitude: null,
      smoking: null,
      date_registered: '2024-05-06',
    });
    expect(await imported(one)).toMatchObject({
      gender_preference: 'Male',
      zip: '02108',
      city: 'Boston',
      state: 'Massachusetts',
      latitude: expect.any(Number),
      date_registered: '2024-05-06T00:00:00.000Z',
    });
  });

  it('uses the defaults of a registration, by the review of the site', async () => {
    const [here, there] = [line({ userstatus: undefined }), line({ userstatus: undefined, siteid: '2' })];
    expect((await imported(here))['userstatus']).toBe('approved');
    expect((await imported(there))['userstatus']).toBe('new');
    expect(await storedMember(there)).toMatchObject({ siteid: 2, waiting: { profile: expect.any(Date) } });
  });

  it('keeps members hidden or deactivated', async () => {
    const [hidden, gone] = [line({ searchable: false }), line({ deactivated: true, reason_id: 10 })];
    expect((await imported(hidden))['searchable']).toBe(false);
    await importAll([gone]);
    expect(await storedMember(gone)).toMatchObject({ deactivated: true, reason_id: 10 });
  });

  it('sends contact data in texts to review on every site and in every status', async () => {
    const texts = { headline: 'Write me: ann@mail.example', q_lessons: 'see www.ann.com' };
    for (const siteid of [1, 2]) {
      const one = line({ ...texts, siteid });
      expect(await imported(one)).toMatchObject({ headline: '', headline_moderated: texts.headline });
      const stored = await storedMember(one);
      expect(stored).toMatchObject({
        userstatus: 'approved',
        flags: { headline: ['email'], q_lessons: ['link'] },
        waiting: { flagged: true },
      });
      // Not years ago, when the member joined elsewhere: the queue is in the order of waiting.
      expect(stored?.waiting?.text?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    }
    const fresh = line({ ...texts, userstatus: 'new', siteid: 2 });
    expect((await imported(fresh))['headline']).toBe(texts.headline);
    expect(await storedMember(fresh)).toMatchObject({
      waiting: { profile: expect.any(Date), flagged: true },
    });
  });

  it('skips existing members, and takes the first of duplicates', async () => {
    const [one, two] = [line(), line()];
    const first = await importAll([one, two, { ...one, parameters: { ...two.parameters, height: 9 } }]);
    expect(first.body.refused).toEqual([]);
    const changed = { ...one, parameters: { ...one.parameters, headline: 'Another headline' } };
    const second = await importAll([changed, two, line()]);
    expect(second.body.imported.filter(({ added }: { added: boolean }) => !added)).toEqual(
      expect.arrayContaining(first.body.imported.map((each: object) => ({ ...each, added: false }))),
    );
    expect(second.body.imported).toHaveLength(3);
    expect((await storedMember(one))?.fields['headline']).toBe('Someone imported');
  });

  it('continues after a crash before, between and after accounts and members', async () => {
    const { auth, context } = service;
    const lines = [line(), line()];
    auth.failNext('import');
    await expect(importAll(lines)).resolves.toMatchObject({ status: 503 });
    auth.failNext('confirm-imported');
    await expect(importAll(lines)).resolves.toMatchObject({ status: 503 });
    const account = () => auth.accounts.get(lines[0]?.member_id ?? '');
    expect(account()?.confirmed).toBe(false);
    const again = await importAll(lines);
    expect(again.body.imported).toMatchObject([{ added: false }, { added: false }]);
    expect(account()?.confirmed).toBe(true);
    // Accounts that are there already keep their numeric ids.
    const left = line();
    const id = 7_000_001;
    keepAccount(left, id);
    const added = { member_id: left.member_id, id, added: true, changed: false, ignored: [] };
    expect((await importAll([left])).body.imported).toEqual([added]);
    // One that was given up for good meanwhile (a tombstone is in the way of its late insert) can be imported again.
    const settled = line();
    keepAccount(settled, id + 1);
    await context.members.store.settle(settled.member_id, id + 1);
    expect((await importAll([settled])).body.imported).toMatchObject([{ added: true }]);
    expect(await storedMember(settled)).toBeDefined();
  });

  it('creates no member whose account was given up meanwhile', async () => {
    const { context } = service;
    const [one, other] = [line(), line()];
    const id = 7_000_003;
    keepAccount(one, id);
    await context.members.store.settle(one.member_id, id);
    // As if the settling had come ten seconds after the accounts were reserved.
    await context.connection
      .collection('members')
      .updateOne({ _id: id as never }, { $set: { settled_at: new Date(Date.now() + 10_000) } });
    expect((await importAll([one, other])).status).toBe(503);
    expect(await storedMember(one)).toBeUndefined();
  });

  it('answers two parallel imports of the same members equally', async () => {
    const lines = Array.from({ length: 50 }, () => line());
    const both = await Promise.all([importAll(lines), importAll(lines.toReversed())]);
    expect(idsIn(both[0])).toHaveLength(50);
    expect(idsIn(both[0])).toEqual(idsIn(both[1]));
    for (const { member_id } of lines) {
      const { _id } = (await service.context.members.store.byUuid(member_id)) ?? { _id: 0 };
      expect(service.auth.accounts.get(member_id)?.id).toBe(_id);
    }
  });

  it('refuses bad members with all their codes, and imports the others', async () => {
    const good = line();
    const { username, email } = good.parameters;
    const young = new Date(Date.now() - 17 * 365 * 86_400_000).toISOString().slice(0, 10);
    const nowhere = { city: null, state: null, zip: null, latitude: null, longitude: null };
    const bad: [Line, number[]][] = [
      [line({ siteid: 77 }), []],
      [line({ siteid: undefined }), []],
      [line({ smoking: 11 }), [20901]],
      [line({ gender: undefined }), [10001]],
      [line({ date_of_birth: '1991-02-30' }), [10401]],
      [line({ date_of_birth: young }), [10402]],
      [line({ nonsense: 1 }), [10000]],
      [line({ username: 'no name!' }), [10102]],
      [line({ email: 'x' }), [10301]],
      [line({ zip: '7'.repeat(21) }), [10041]],
      [line({ country: 'XX' }), [10011]],
      [line({ ...nowhere, country: null }), [10011]],
      [line({ longitude: null }), [10032]],
      [line({ agefrom: 40, ageto: 30 }), [20901]],
      [line({ headline: 'x'.repeat(76) }), [10501]],
      [line({ userstatus: 'gone' }), [20901]],
      [line({ searchable: 'perhaps' }), [20801]],
      [line({ deactivated: 'perhaps' }), [20704]],
      [line({ last_seen: 'yesterday' }), [20901]],
      [line({ date_registered: '2999-01-01' }), [20901]],
      [line({ password: 'in clear text' }), [10000]],
      [line({ password_hash: '$1$abc' }), [10201]],
      [line({ username }), [10101]],
      [line({ email }), [10302]],
      [line({ username, email }), [10101, 10302]],
      [
        line({ gender: 'x', nonsense: 1, zip: '', password_hash: 1, email: '' }),
        [10001, 10201, 10301, 10041, 10000],
      ],
      [line({}, { photos: [{ stem: '../../etc/passwd', extension: '.jpg', sizes: [800] }] }), [11204]],
    ];
    const { body } = await importAll([good, ...bad.map(([member]) => member)]);
    expect(body.imported).toHaveLength(1);
    const codes = new Map(
      body.refused.map((each: { member_id: string; failcode: number[] }) => [each.member_id, each.failcode]),
    );
    expect(bad.map(([{ member_id }]) => codes.get(member_id))).toEqual(bad.map(([, expected]) => expected));
  });

  it('checks members without adding them', async () => {
    const [there, fresh] = [line(), line()];
    await importAll([there]);
    const twin = line({ email: there.parameters['email'] });
    const { body } = await service
      .internal('/internal/members/import/check', { members: [there, fresh, twin, line({ smoking: 11 })] })
      .expect(200);
    expect(body.imported).toMatchObject([{ member_id: there.member_id, added: false }]);
    expect(body.refused.map(({ failcode }: { failcode: number[] }) => failcode)).toEqual([[20901], [10302]]);
    expect(await service.context.members.store.byUuid(fresh.member_id)).toBeUndefined();
    expect(service.auth.accounts.has(fresh.member_id)).toBe(false);
  });

  it('takes hundreds of members in one call', async () => {
    const list = Array.from({ length: 500 }, () => line());
    const { status, body } = await importAll(list);
    expect(status).toBe(200);
    expect(body.imported).toHaveLength(500);
  });
});
