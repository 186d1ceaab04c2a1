import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runUnbans } from '../../../src/moderation/decisions/ban-member.ts';
import type { TestMember } from '../../harness.ts';
import { banned, jpegOf, photoOf } from '../../support/banned.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
beforeAll(async () => {
  all = await startModeration('ban-entries');
  ({ service, ann, bob } = all);
});
afterAll(() => service.close());

interface Listed {
  readonly ban_id: string;
  readonly kind: string;
  readonly photoid: number | null;
  readonly id: number | null;
}

const bansOf = async ({ id }: TestMember, by = 'member'): Promise<Listed[]> =>
  (await ann.get(`/staff/bans?${by}=${id}`).expect(200)).body.entries;

const isWithheld = async ({ id }: TestMember) =>
  (await service.context.members.store.byId(id))?.suspected === true;

/** A member with two photos, and what is banned of them. */
async function withPhotos(seed: number) {
  const member = await service.register();
  const photos: number[] = [];
  for (const each of [seed, seed + 1])
    photos.push((await member.upload(await jpegOf(each)).expect(200)).body.id as number);
  return { member, photos };
}

describe('a ban', () => {
  it('tells what it lists, adds and cannot recognize', async () => {
    const { member, photos } = await withPhotos(20_000);
    const plain = await photoOf(1).resize(2, 2).blur(10).resize(300, 300).jpeg().toBuffer();
    const { body: empty } = await member.upload(plain).expect(200);
    const first = await ann.post(path(member, 'suspend'), { ...why, ban: true }).expect(200);
    expect(first.body).toMatchObject({ changed: true, banned: { listed: 3, added: 3, skipped: [empty.id] } });
    const again = await ann.post(path(member, 'suspend'), { ...why, ban: true }).expect(200);
    expect(again.body).toMatchObject({ changed: false, banned: { listed: 3, added: 0 } });
    expect((await bansOf(member)).flatMap(({ photoid }) => photoid ?? [])).toEqual(photos);
  });

  it('is of the photos and addresses that staff choose', async () => {
    const { member, photos } = await withPhotos(20_010);
    const suspend = (chosen: object) => ann.post(path(member, 'suspend'), { ...why, ban: true, ...chosen });
    await suspend({ ban_email: false, ban_photos: [photos[1]] }).expect(200);
    expect(await bansOf(member)).toMatchObject([{ kind: 'photo', photoid: photos[1] }]);
    await suspend({ ban_photos: [] }).expect(200);
    expect((await bansOf(member)).map(({ kind }) => kind)).toEqual(['email', 'photo']);
    for (const wrong of [
      { ban_photos: [photos[0], 1] },
      { ban_photos: 'all' },
      { ban: false, ban_photos: [] },
    ])
      await suspend(wrong).expect(403);
    expect(await bansOf(member)).toHaveLength(2);
  });

  it('covers photos that the member deleted after a report, and a former address', async () => {
    const { member, photos } = await withPhotos(20_020);
    const [reporter, sister] = [await service.register({ gender: 'Female', genderpreference: 'Male' }), 2];
    await reporter.post('/report', { profileid: member.id }).expect(200);
    await member.delete(`/photo/${photos[0]}`).expect(200);
    const account = service.auth.accounts.get(member.memberId);
    if (account) account.protected_emails = ['former@example.org'];
    const { body } = await ann.post(path(member, 'suspend'), { ...why, ban: true }).expect(200);
    expect(body.banned).toEqual({ listed: 4, added: 4, skipped: [] });
    // On a site of the same group, whose members meet those of this one.
    const back = await service.register({ siteid: sister, email: 'Former+1@example.org' });
    await back.upload(await jpegOf(20_020)).expect(200);
    expect(await isWithheld(back)).toBe(true);
    expect(await bansOf(back, 'matches')).toMatchObject([{ photoid: photos[0] }, { kind: 'email' }]);
  });

  it('covers accounts with the address on the sites where it holds', async () => {
    const email = 'everywhere@example.org';
    const [one, two, three] = [
      await service.register({ siteid: 1, email }),
      await service.register({ siteid: 2, email }),
      await service.register({ siteid: 3, email }),
    ];
    await ann.post(path(one, 'suspend'), { ...why, ban: true }).expect(200);
    expect([await isWithheld(two), await isWithheld(three)]).toEqual([true, false]);
    expect(await bansOf(two, 'matches')).toMatchObject([{ kind: 'email', id: one.id }]);
    await ann.post(path(one, 'suspend'), { ...why, ban: true, all_sites: true }).expect(200);
    expect(await isWithheld(three)).toBe(true);
  });

  it('keeps no hash that could be compared with a photo', async () => {
    await banned(all, {});
    const stored = await service.context.connection.collection('bans').find({ kind: 'photo' }).toArray();
    expect(stored.length).toBeGreaterThan(0);
    for (const { hash } of stored) expect(hash).toMatch(/^[\w-]{80}$/);
  });

  it('that fails lists nothing, and is in the history before it is listed', async () => {
    const { member } = await withPhotos(20_030);
    const { photos, members } = service.context;
    const { id, memberId: member_id } = member;
    const device = { endpoint: 'https://push.example/failing', types: [], family: 'phone' };
    await service
      .internal('/internal/push/add', { id, member_id, recent_sign_in: true, ...device })
      .expect(200);
    const suspend = () => ann.post(path(member, 'suspend'), { ...why, ban: true });
    const render = jest.spyOn(photos.pool, 'render').mockRejectedValue(new Error('too many images'));
    await suspend().expect(500);
    render.mockRestore();
    expect(await bansOf(member)).toEqual([]);
    // The suspension ends the sign-ins.
    await service.internal('/internal/push/end', { sign_ins: [{ id, family: 'phone' }] }).expect(200);
    const put = jest
      .spyOn(members.bans.store, 'put')
      .mockRejectedValueOnce(new Error('the process ends here'));
    await suspend().expect(500);
    put.mockRestore();
    expect(await all.actions(member)).toEqual(['ban', 'suspend']);
    expect((await suspend().expect(200)).body.banned).toMatchObject({ listed: 4 });
    expect(await bansOf(member)).toContainEqual(expect.objectContaining({ kind: 'device' }));
  });

  it('is removed in the history before it is removed', async () => {
    const { member } = await banned(all, {});
    const { store } = service.context.members.bans;
    const [entry] = await bansOf(member);
    const died = () => jest.spyOn(store, 'remove').mockRejectedValueOnce(new Error('the process ends here'));
    const first = died();
    await ann.delete(`/staff/bans/${entry?.ban_id}`).expect(500);
    first.mockRestore();
    const second = died();
    await ann.post(path(member, 'unsuspend')).expect(500);
    second.mockRestore();
    expect(await all.actions(member)).toEqual(['unban', 'unsuspend', 'unban', 'ban', 'suspend']);
    expect(await bansOf(member)).toHaveLength(2);
    await ann.post(path(member, 'unsuspend')).expect(200);
    expect(await bansOf(member)).toEqual([]);
  });

  it('of two calls at once is listed once', async () => {
    const { member } = await banned(all, {}, {});
    const twice = [1, 2].map(() => ann.post(path(member, 'suspend'), { ...why, ban: true }).expect(200));
    await Promise.all(twice);
    expect(await bansOf(member)).toHaveLength(2);
  });
});

const reportsOf = async ({ id }: TestMember) =>
  (await service.context.moderation.reports.about(id)).map(({ open_at }) => open_at !== undefined);

describe('a suspension that somebody else ends meanwhile', () => {
  it.each(['before it is enforced', 'while photos are hashed'])(
    'leaves neither ban nor closed reports: %s',
    async (when) => {
      const { member } = await withPhotos(20_040);
      const reporter = await service.register({ gender: 'Female', genderpreference: 'Male' });
      await reporter.post('/report', { profileid: member.id }).expect(200);
      const { auth, photos } = service.context;
      const unsuspend = async () => {
        await bob.post(path(member, 'unsuspend')).expect(200);
      };
      const [end, render] = [auth.endSessions.bind(auth), photos.pool.render.bind(photos.pool)];
      const spy =
        when === 'before it is enforced'
          ? jest.spyOn(auth, 'endSessions').mockImplementationOnce(async (input) => {
              await unsuspend();
              return end(input);
            })
          : jest.spyOn(photos.pool, 'render').mockImplementationOnce(async (...input) => {
              await unsuspend();
              return render(...input);
            });
      const { body } = await ann.post(path(member, 'suspend'), { ...why, ban: true }).expect(200);
      spy.mockRestore();
      expect(await bansOf(member)).toEqual([]);
      expect(await reportsOf(member)).toEqual([true]);
      expect(body.suspended).toBe(when === 'while photos are hashed');
    },
  );
});

describe('a match of the ban list', () => {
  it('leads staff to its entries, which an approval can remove', async () => {
    const grifter = await banned(all, {});
    const eve = await service.register({ email: grifter.spelling() });
    const { body: photo } = await eve.upload(await jpegOf(grifter.seed)).expect(200);
    const entries = await bansOf(grifter.member);
    expect(await bansOf(eve, 'matches')).toEqual(entries);
    const [far, local] = [
      await service.staff({ 3: ['moderator'] }),
      await service.staff({ 1: ['moderator'] }),
    ];
    await far.get(`/staff/bans?matches=${eve.id}`).expect(404);
    expect((await eve.get('/members/self/export').expect(200)).text).not.toContain(entries[0]?.ban_id);
    await local.post(path(eve, 'approve'), { remove_bans: true, revision: 'another' }).expect(409);
    await bob.post('/staff/queue/claim', { kind: 'photo', id: eve.id }).expect(200);
    await local.post(`/staff/photos/${photo.id}/approve`, { remove_bans: true }).expect(409);
    await bob.post('/staff/queue/release', { kind: 'photo', id: String(eve.id) }).expect(200);
    expect(await bansOf(grifter.member)).toHaveLength(2);
    await local.post(path(eve, 'approve'), { remove_bans: true }).expect(200);
    expect(await bansOf(grifter.member)).toMatchObject([{ kind: 'photo' }]);
    await local.post(`/staff/photos/${photo.id}/approve`, { remove_bans: true }).expect(200);
    expect(await bansOf(grifter.member)).toEqual([]);
    expect(await bansOf(eve, 'matches')).toEqual([]);
    expect(await all.actions(grifter.member)).toEqual(['unban', 'unban', 'ban', 'suspend']);
    const again = await service.register({ email: grifter.spelling() });
    expect(await isWithheld(again)).toBe(false);
  });

  it.each(['profile', 'photo'])(
    'loses its entries with the approval of the %s or after it, also where the process ends between the two',
    async (kind) => {
      const grifter = await banned(all, {});
      const eve = await service.register({ email: grifter.spelling() });
      const { body: photo } = await eve.upload(await jpegOf(grifter.seed)).expect(200);
      const approve = () => {
        const url = kind === 'profile' ? path(eve, 'approve') : `/staff/photos/${photo.id}/approve`;
        return ann.post(url, { remove_bans: true });
      };
      const { store } = service.context.members;
      const { store: list } = service.context.members.bans;
      const unwritten = jest.spyOn(store, 'change').mockImplementationOnce(async (id, rule) => {
        await rule((await store.byId(id)) ?? (await Promise.reject(new Error('nobody'))));
        throw new Error('the process ends here');
      });
      await approve().expect(500);
      unwritten.mockRestore();
      expect(await bansOf(grifter.member)).toHaveLength(2);

      const unremoved = jest.spyOn(list, 'remove').mockRejectedValue(new Error('the process ends here'));
      await approve().expect(500);
      expect(await bansOf(grifter.member)).toHaveLength(2);
      expect((await bansOf(eve, 'matches')).map((each) => each.kind)).toEqual([
        kind === 'profile' ? 'photo' : 'email',
      ]);
      unremoved.mockRestore();
      service.advance(61_000);
      await until('removed', async () => {
        await runUnbans(service.context);
        return (await bansOf(grifter.member)).length === 1;
      });
      expect(await bansOf(grifter.member)).toMatchObject([{ kind: kind === 'profile' ? 'photo' : 'email' }]);
      await approve().expect(200);
      expect(await bansOf(grifter.member)).toHaveLength(1);
    },
  );

  it('keeps an entry that was renewed after an approval which did not remove it', async () => {
    const grifter = await banned(all, {});
    const eve = await service.register({ email: grifter.spelling() });
    const { store } = service.context.members.bans;
    const unremoved = jest.spyOn(store, 'remove').mockRejectedValue(new Error('the process ends here'));
    const approve = () => ann.post(path(eve, 'approve'), { remove_bans: true });
    await approve().expect(500);
    unremoved.mockRestore();
    service.advance(1);
    await ann.post(path(grifter.member, 'suspend'), { ...why, ban: true }).expect(200);
    await approve().expect(200);
    expect(await bansOf(grifter.member)).toHaveLength(2);
  });

  it('loses entries that end later than they would by the BAN_YEARS of now', async () => {
    const grifter = await banned(all, {});
    const eve = await service.register({ email: grifter.spelling() });
    const { connection, clock } = service.context;
    const expires_at = new Date(clock().getTime() + 10 * 365 * 86_400_000);
    await connection.collection('bans').updateMany({ member: grifter.member.id }, { $set: { expires_at } });
    await ann.post(path(eve, 'approve'), { remove_bans: true }).expect(200);
    expect(await bansOf(grifter.member)).toMatchObject([{ kind: 'photo' }]);
  });

  it('is named to the member as the work of a program, and not as a match', async () => {
    const grifter = await banned(all, { siteid: 1 });
    const eve = await service.register({ email: grifter.spelling() });
    await ann.post(path(eve, 'reject'), why).expect(200);
    const { body, text } = await eve.get('/members/self/decisions').expect(200);
    expect(body.decisions).toMatchObject([{ statement: { automated_detection: true } }]);
    expect(text).not.toContain('ban_list');
  });

  it('is found on every site of the entry, whose staff alone can remove it', async () => {
    const grifter = await banned(all, { siteid: 1 });
    const [local, eve] = [
      await service.staff({ 2: ['moderator'] }),
      await service.register({ siteid: 2, email: grifter.spelling() }),
    ];
    expect((await local.get(`/staff/bans?matches=${eve.id}`).expect(200)).body.entries).toEqual([]);
    await local.post(path(eve, 'approve'), { remove_bans: true }).expect(200);
    expect(await bansOf(grifter.member)).toHaveLength(2);
  });
});
