import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { mailboxOf } from '../../../src/members/bans.ts';
import { endWarnings, warnOfFraud } from '../../../src/moderation/notifications/warn-of-fraud.ts';
import { eraseMember } from '../../../src/privacy/erase-member.ts';
import type { TestMember } from '../../harness.ts';
import { banned, jpegOf } from '../../support/banned.ts';
import { messaging, platinum, say } from '../../support/messaging.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

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

const mailsTo = ({ memberId }: TestMember) =>
  service.auth.warnings.filter(({ member_id }) => member_id === memberId);
const updatesTo = ({ id }: TestMember) =>
  all.live.filter(({ type, member }) => type === 'moderation.warned' && member === id);

describe('members who wrote with somebody banned for fraud', () => {
  const hourMs = 3_600_000;
  const { patch, woman } = messaging(() => service);
  const ban = { reason_id: 'scam', ban: true };
  const inSiteTwo = async () => {
    const member = await woman(manual);
    await ann.post(path(member, 'approve')).expect(200);
    return member;
  };
  /** A grifter, and somebody of a site that warns with whom he exchanged messages. */
  const exchange = async (): Promise<[TestMember, TestMember]> => {
    const grifter = await service.register();
    // The clock is years ahead by now.
    const expires_at = new Date(service.context.clock().getTime() + year);
    await patch(grifter, { membership: { ...platinum().membership, expires_at } });
    const eve = await inSiteTwo();
    await say(grifter, eve, 'Hello').expect(200);
    await say(eve, grifter, 'Hello!').expect(200);
    return [grifter, eve];
  };

  const warn = async () => {
    service.advance(hourMs);
    expect([await warnOfFraud(service.context), await endWarnings(service.context)]).toEqual([0, 0]);
  };

  it('are not mailed again where RabbitMQ takes no live update', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    service.advance(hourMs);
    const { publisher } = service.context;
    jest.spyOn(publisher, 'publish').mockRejectedValueOnce(new Error('away'));
    for (let round = 0; round < 2; round += 1) expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toHaveLength(1);
  });

  it('are told once, also after an outage, and nobody else is', async () => {
    const [grifter, eve] = await exchange();
    const [silent, fond, elsewhere] = [await inSiteTwo(), await inSiteTwo(), await woman()];
    await say(grifter, silent, 'Hello').expect(200);
    await fond.post('/like', { profileid: grifter.id }).expect(200);
    await say(grifter, elsewhere, 'Hello').expect(200);
    await say(elsewhere, grifter, 'Hello!').expect(200);
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toEqual([]);
    service.advance(hourMs);
    service.auth.failNext('notify-fraud');
    expect(await warnOfFraud(service.context)).toBe(1);
    for (let round = 0; round < 2; round += 1) expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toEqual([
      {
        member_id: eve.memberId,
        locale: 'en_US',
        username: grifter.username,
        banned_at: expect.any(String),
        help_url: 'https://harbor.example/fraud',
        contact: 'help@harbor.example',
      },
    ]);
    await until('a live update', () => updatesTo(eve).length === 1);
    expect(updatesTo(eve)).toMatchObject([{ data: { other: grifter.id } }]);
    const { body: archive } = await eve.get('/members/self/export').expect(200);
    expect(archive.moderation.fraud_warnings).toEqual([{ profileid: grifter.id, at: expect.any(String) }]);

    await ann.post(path(grifter, 'unsuspend')).expect(200);
    await ann.post(path(grifter, 'delete'), ban).expect(200);
    service.advance(hourMs);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toHaveLength(1);
    expect([silent, fond, elsewhere].flatMap(mailsTo)).toEqual([]);
    service.advance(31 * 24 * hourMs);
    await until('the erasure', async () => {
      await eraseMember(service.context, { id: grifter.id, member_id: grifter.memberId });
      return (await service.context.members.store.byId(grifter.id)) === undefined;
    });
    expect(await service.context.moderation.warnings.to(eve.id)).toEqual([]);
  });

  it('are not told when the ban ended or was appealed with success, or was for something else', async () => {
    const [one, eve] = await exchange();
    await ann.post(path(one, 'suspend'), ban).expect(200);
    await ann.post(path(one, 'unsuspend')).expect(200);
    const [other, mary] = await exchange();
    await ann.post(path(other, 'suspend'), ban).expect(200);
    const [decision] = await service.context.moderation.decisions.statementsTo(other.id, undefined, 1);
    const appeal = { member_id: other.memberId, decision_id: decision?.id, text: 'It was not me.' };
    await service.internal('/internal/decisions/appeal', appeal).expect(200);
    const { body } = await all.bob.get('/staff/appeals').expect(200);
    const { appeal_id } = body.entries.find(({ id }: { id: number }) => id === other.id);
    await all.bob.post(`/staff/appeals/${appeal_id}/grant`).expect(200);
    const [third, ruth] = await exchange();
    await ann.post(path(third, 'suspend'), { reason_id: 'advertising', ban: true }).expect(200);
    await warn();
    expect([eve, mary, ruth].flatMap(mailsTo)).toEqual([]);
    // A later ban for fraud is a decision of its own.
    await ann.post(path(third, 'suspend'), { ...ban, all_sites: true }).expect(200);
    service.advance(hourMs);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(ruth)).toHaveLength(1);
  });

  it('are told of a fraud that turns up after the suspension, and though a banned photo was of somebody else', async () => {
    const [grifter, eve] = await exchange();
    const decided = async (body: object) =>
      (await ann.post(path(grifter, 'suspend'), body).expect(200)).body.changed;
    expect(await decided({ reason_id: 'advertising', ban: true })).toBe(true);
    expect(await decided({ reason_id: 'scam' })).toBe(true);
    expect(await decided({ reason_id: 'scam', ban: true, all_sites: true })).toBe(false);
    const [first] = await bansOf(grifter);
    await ann.delete(`/staff/bans/${first.ban_id}`).expect(200);
    const { decisions } = service.context.moderation;
    const stated = await decisions.statementsTo(grifter.id, undefined, 9);
    expect(stated.map(({ statement }) => statement?.ground)).toEqual(['scam', 'scam', 'advertising']);
    const old = stated.map(({ id }) => id);
    expect(await decisions.undoneOf(grifter.id, old)).toEqual(new Set(old.slice(-1)));
    await warn();
    expect(mailsTo(eve)).toHaveLength(1);
  });

  it('are told, once, that the ban was a mistake, and warned again of another one', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    await warn();
    await ann.post(path(grifter, 'unsuspend'), { mistaken: true }).expect(200);
    for (let round = 0; round < 2; round += 1) await warn();
    const ended = () => service.auth.endedWarnings.filter(({ member_id }) => member_id === eve.memberId);
    expect(ended()).toMatchObject([{ username: grifter.username, locale: 'en_US' }]);
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    await warn();
    expect(mailsTo(eve)).toHaveLength(2);
    // The time is served.
    await ann.post(path(grifter, 'unsuspend')).expect(200);
    await warn();
    expect(ended()).toHaveLength(1);
  });

  it('are not told where a deletion was undone, whatever the history missed', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), why).expect(200);
    await ann.post(path(grifter, 'delete'), ban).expect(200);
    const { decisions } = service.context.moderation;
    jest.spyOn(decisions, 'latest').mockResolvedValueOnce(undefined);
    await ann.post(path(grifter, 'undelete')).expect(200);
    await warn();
    expect(mailsTo(eve)).toEqual([]);
  });
});
