import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { mailboxOf } from '../../../src/members/bans.ts';
import { eraseMember } from '../../../src/privacy/erase-member.ts';
import type { TestMember } from '../../harness.ts';
import { banned, jpegOf } from '../../support/banned.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('bans');
  ({ service, ann } = all);
});
afterAll(() => service.close());

const year = 366 * 86_400_000;

const bansOf = async ({ id }: TestMember) =>
  (await ann.get(`/staff/bans?member=${id}`).expect(200)).body.entries;

const idsFor = async (staff: Moderation['ann']): Promise<string[]> =>
  (await staff.get('/staff/bans?pagesize=100').expect(200)).body.entries.map(
    ({ ban_id }: { ban_id: string }) => ban_id,
  );

/** Whether staff find a member flagged who registers with the address. */
async function isFlagged(email: string, siteid = 1) {
  const { id } = await service.register({ siteid, email });
  return (await service.context.members.store.byId(id))?.suspected === true;
}

/** Whether staff find the photo of a member flagged. */
async function isPhotoFlagged(seed: number, siteid = 1) {
  const member = await service.register({ siteid });
  await member.upload(await jpegOf(seed)).expect(200);
  const stored = await service.context.members.store.byId(member.id);
  return stored?.photos[0]?.suspected === true;
}

describe('the mailbox of an address', () => {
  it.each([
    ['Ann.Lee+dating@Gmail.com', 'annlee@gmail.com'],
    ['annlee@googlemail.com', 'annlee@gmail.com'],
    ['ann.lee@me.com', 'ann.lee@icloud.com'],
    ['Ann_Lee.x+dating@pm.me', 'annleex@proton.me'],
    ['ann-lee.x@ya.ru', 'annleex@yandex.com'],
    ['Ann.Lee+dating@Example.org', 'ann.lee@example.org'],
    ['+ann@example.org', '+ann@example.org'],
    ['"a@b"@example.org', '"a@b"@example.org'],
    ['ann+lee+x@example.org', 'ann@example.org'],
  ])('of %s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));
});

describe('a suspension with a ban', () => {
  it('lists address and photo without showing either, is in the history, and is lifted with its end', async () => {
    const grifter = await banned(all, { siteid: 1 });
    const entries = await bansOf(grifter.member);
    expect(entries).toMatchObject([
      { kind: 'photo', siteid: 1, id: grifter.member.id, reason: 'Asked for money', staff_id: ann.memberId },
      {
        kind: 'email',
        siteid: 1,
        id: grifter.member.id,
        username: grifter.member.username,
        photoid: null,
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/grifter|gmail|[\da-f]{40}/);
    expect(await isFlagged(grifter.spelling())).toBe(true);
    expect(await isPhotoFlagged(grifter.seed)).toBe(true);
    await ann.post(path(grifter.member, 'unsuspend')).expect(200);
    expect(await all.actions(grifter.member)).toEqual(['unban', 'unsuspend', 'ban', 'suspend']);
    expect(await bansOf(grifter.member)).toEqual([]);
    expect(await isFlagged(grifter.spelling())).toBe(false);
    expect(await isPhotoFlagged(grifter.seed)).toBe(false);
  });

  it('can follow a suspension without one, and be repeated', async () => {
    const { member } = await banned(all, { siteid: 1 }, {});
    expect(await bansOf(member)).toEqual([]);
    const again = () => ann.post(path(member, 'suspend'), { ...why, ban: true });
    expect((await again()).body).toMatchObject({ changed: false });
    expect((await again()).body).toMatchObject({ changed: false });
    expect(await bansOf(member)).toHaveLength(2);
    expect(await all.actions(member)).toEqual(['ban', 'suspend']);
  });

  it('holds on the site of the member, or by staff of every site on all', async () => {
    const onOne = await banned(all, { siteid: 1 });
    expect(await isFlagged(onOne.spelling(), 3)).toBe(false);
    expect(await isPhotoFlagged(onOne.seed, 3)).toBe(false);
    const onAll = await banned(all, { siteid: 1 }, { ban: true, all_sites: true });
    expect(await isFlagged(onAll.spelling(), 3)).toBe(true);
    expect(await isPhotoFlagged(onAll.seed, 3)).toBe(true);
  });

  it('takes a wider effect or none by nobody without the role', async () => {
    const local = await service.staff({ 1: ['moderator'] });
    const { member } = await banned(all, { siteid: 1 }, {});
    await local.post(path(member, 'suspend'), { ...why, ban: true, all_sites: true }).expect(403);
    await ann.post(path(member, 'suspend'), { ...why, all_sites: true }).expect(403);
    await ann.post(path(member, 'suspend'), { ...why, ban: 'perhaps' }).expect(403);
    expect(await bansOf(member)).toEqual([]);
    await local.post(path(member, 'suspend'), { ...why, ban: true }).expect(200);
    expect(await bansOf(member)).toHaveLength(2);
  });

  it('keeps no address', async () => {
    const stored = await service.context.connection.collection('bans').find().toArray();
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toMatch(/@|grifter|gmail/);
  });
});

describe('an entry of the ban list', () => {
  it('is shown to staff of its site, and removed by them', async () => {
    const { member, spelling } = await banned(all, { siteid: 1 });
    const wide = await banned(all, { siteid: 1 }, { ban: true, all_sites: true });
    const [local, far] = [
      await service.staff({ 1: ['moderator'] }),
      await service.staff({ 2: ['moderator'] }),
    ];
    const [, entry] = await bansOf(member);
    const [forAll] = await bansOf(wide.member);
    expect(await idsFor(ann)).toEqual(expect.arrayContaining([entry.ban_id, forAll.ban_id]));
    expect(await idsFor(local)).toContain(entry.ban_id);
    expect(await idsFor(local)).not.toContain(forAll.ban_id);
    expect(await idsFor(far)).not.toContain(entry.ban_id);
    await far.get('/staff/bans?siteid=1').expect(403);
    await far.delete(`/staff/bans/${entry.ban_id}`).expect(403);
    await local.delete(`/staff/bans/${forAll.ban_id}`).expect(403);
    await (await service.staff({ '*': ['support'] })).get('/staff/bans').expect(403);
    await local.delete(`/staff/bans/${entry.ban_id}`).expect(200, {});
    await local.delete(`/staff/bans/${entry.ban_id}`).expect(404);
    await ann.delete(`/staff/bans/${v7()}`).expect(404);
    expect(await isFlagged(spelling())).toBe(false);
    expect(await all.actions(member)).toEqual(['unban', 'ban', 'suspend']);
  });

  it('pages, newest first', async () => {
    const { body: first } = await ann.get('/staff/bans?pagesize=2').expect(200);
    const { body: second } = await ann.get(`/staff/bans?pagesize=2&cursor=${first.next}`).expect(200);
    const ids: string[] = [...first.entries, ...second.entries].map(({ ban_id }) => ban_id);
    expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? 1 : -1)));
    expect(new Set(ids).size).toBe(4);
  });

  it('outlives the member, whose number stays for an appeal, and ends after BAN_YEARS', async () => {
    const { member, seed, spelling } = await banned(all, { siteid: 1 }, {});
    await ann.post(path(member, 'delete'), { ban: true, reason: 'Asked Ann for money' }).expect(200);
    const ids = (await bansOf(member)).map(({ ban_id }: { ban_id: string }) => ban_id);
    service.advance(31 * 86_400_000);
    await until('the erasure', async () => {
      await eraseMember(service.context, { id: member.id, member_id: member.memberId });
      return (await service.context.members.store.byId(member.id)) === undefined;
    });
    const named = { id: member.id, username: null };
    expect(await bansOf(member)).toMatchObject([named, named]);
    const kept = await service.context.connection
      .collection('bans')
      .find({ _id: { $in: ids } })
      .sort({ kind: 1 })
      .toArray();
    expect(kept.map((entry) => Object.keys(entry).toSorted())).toEqual(
      [
        ['_id', 'at', 'expires_at', 'kind', 'mac', 'member', 'siteid', 'staff'],
        ['_id', 'at', 'expires_at', 'hash', 'kind', 'member', 'siteid', 'staff'],
      ].map((names) => names.toSorted()),
    );
    expect(await isFlagged(spelling())).toBe(true);
    expect(await isPhotoFlagged(seed)).toBe(true);
    service.advance(3 * year);
    expect(await isFlagged(spelling())).toBe(false);
    expect(await isPhotoFlagged(seed)).toBe(false);
  });
});

describe('the end of a suspension', () => {
  it('lifts bans of every site by staff of every site only, and nothing else happens', async () => {
    const local = await service.staff({ 1: ['moderator'] });
    const { member } = await banned(all, { siteid: 1 }, { ban: true, all_sites: true });
    await local.post(path(member, 'unsuspend')).expect(403);
    expect(await bansOf(member)).toHaveLength(2);
    expect(await all.actions(member)).toEqual(['ban', 'suspend']);
    await ann.post(path(member, 'unsuspend')).expect(200);
    expect(await bansOf(member)).toEqual([]);
    const near = await banned(all, { siteid: 1 });
    await local.post(path(near.member, 'unsuspend')).expect(200);
    expect(await bansOf(near.member)).toEqual([]);
  });

  it('lifts no ban of a deleted member', async () => {
    const { member } = await banned(all, { siteid: 1 });
    await ann.post(path(member, 'delete'), why).expect(200);
    expect((await ann.post(path(member, 'unsuspend')).expect(200)).body).toMatchObject({ changed: false });
    expect(await bansOf(member)).toHaveLength(2);
  });
});
