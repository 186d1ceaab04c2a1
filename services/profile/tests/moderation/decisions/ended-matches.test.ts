import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { releaseMessages } from '../../../src/messages/release-messages.ts';
import { releaseMatched } from '../../../src/moderation/decisions/release-matched.ts';
import type { TestMember } from '../../harness.ts';
import { appealing } from '../../support/appealing.ts';
import { banned, jpegOf } from '../../support/banned.ts';
import { messaging, platinum, say, texts } from '../../support/messaging.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('ended-matches');
  ({ service, ann } = all);
});
afterAll(() => service.close());

const { newest, appealOnPage, decide, stored } = appealing(() => all);
const { patch, woman } = messaging(() => service);

/** Which of the address and the photo keep a member waiting. */
const flagsOf = async ({ id }: TestMember) =>
  (await ann.get(`/staff/members/${id}`).expect(200)).body.flags as object;
const bansOf = async ({ id }: TestMember): Promise<{ readonly ban_id: string; readonly kind: string }[]> =>
  (await ann.get(`/staff/bans?member=${id}`).expect(200)).body.entries;
const both = { email: ['banned'], photo: ['banned'] };

/** A member with an address and a photo of somebody who was banned. */
async function matching({ spelling, seed }: Awaited<ReturnType<typeof banned>>) {
  const member = await service.register({ siteid: 1, email: spelling() });
  await patch(member, platinum());
  const { body: photo } = await member.upload(await jpegOf(seed)).expect(200);
  return { member, photo: photo.id as number };
}

/** Removes the entry of a kind. */
async function remove(member: TestMember, kind: string) {
  const entry = (await bansOf(member)).find((each) => each.kind === kind);
  await ann.delete(`/staff/bans/${entry?.ban_id}`).expect(200);
  await releaseMatched(service.context);
}

describe('a ban', () => {
  it('that a granted appeal lifts no longer withholds accounts it had marked, and delivers what they wrote', async () => {
    const grifter = await banned(all, { siteid: 1 });
    const sister = await service.register({ siteid: 2, email: grifter.spelling() });
    const [{ member, photo }, mary] = [await matching(grifter), await woman({ siteid: 1 })];
    await ann.post(path(grifter.member, 'suspend'), { ...why, ban: true }).expect(200);
    await say(member, mary, 'Hello').expect(200);
    await releaseMatched(service.context);
    await releaseMessages(service.context);
    expect(await flagsOf(member)).toEqual(both);
    expect(await texts(mary, member)).toEqual([]);

    expect((await appealOnPage(grifter.member, await newest(grifter.member))).status).toBe(200);
    expect((await decide(grifter.member, 'grant')).status).toBe(200);
    expect(await releaseMatched(service.context)).toBe(0);
    for (const each of [member, sister]) {
      expect(await flagsOf(each)).toEqual({});
      expect((await stored(each))?.ban_matches).toBeUndefined();
    }
    expect(await all.entryOf('profile', member)).toBeUndefined();
    expect((await mary.get(`/photo?profileid=${member.id}`).expect(200)).body).toMatchObject([{ id: photo }]);
    await releaseMessages(service.context);
    expect(await texts(mary, member)).toEqual(['Hello']);
  });

  it('that is removed leaves withheld what another entry matches', async () => {
    const [grifter, other] = [await banned(all, { siteid: 1 }), await banned(all, { siteid: 1 })];
    const { member } = await matching(grifter);
    await member.post('/members/self', { email: other.spelling() }).expect(200);
    await remove(grifter.member, 'email');
    expect(await flagsOf(member)).toEqual(both);
    await remove(grifter.member, 'photo');
    expect(await flagsOf(member)).toEqual({ email: ['banned'] });
    await remove(other.member, 'email');
    expect(await flagsOf(member)).toEqual({});
  });

  it('that expires withholds nobody, also where the job ends in the middle', async () => {
    const grifter = await banned(all, { siteid: 1 });
    const { member } = await matching(grifter);
    // As the database does after BAN_YEARS.
    await service.context.connection.collection('bans').deleteMany({ member: grifter.member.id });
    const { store } = service.context.members;
    const died = jest.spyOn(store, 'change').mockRejectedValueOnce(new Error('the process ends here'));
    expect(await releaseMatched(service.context)).toBe(1);
    died.mockRestore();
    expect(await flagsOf(member)).toEqual(both);
    expect(await releaseMatched(service.context)).toBe(0);
    expect(await flagsOf(member)).toEqual({});
  });

  it('that matched a profile on a site that reviews by hand leaves it to wait as any other', async () => {
    const grifter = await banned(all, { siteid: 2 });
    const member = await service.register({ siteid: 2, email: grifter.spelling() });
    expect(await all.entryOf('profile', member)).toMatchObject({ flagged: true });
    await ann.post(path(grifter.member, 'unsuspend')).expect(200);
    await releaseMatched(service.context);
    expect(await all.entryOf('profile', member)).toMatchObject({ flagged: false });
  });
});
