import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { measureQueue } from '../../../src/moderation/queue/measure-queue.ts';
import { jpegOf } from '../../support/images.ts';
import { startModeration, type Moderation, why } from '../../support/moderation.ts';
import { nextProfile as next, profileQueue } from '../../support/profile-queue.ts';

const minute = 60_000;

interface Line {
  readonly kind: string;
  readonly siteid: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly oldest: string | null;
}

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let entryOf: Moderation['entryOf'];
beforeAll(async () => {
  ({ service, ann, bob, entryOf } = await startModeration('summary'));
});
afterAll(() => service.close());

const { wait, drain } = profileQueue(() => ({ service, ann }));

describe('GET /staff/queue/summary', () => {
  it('counts what waits by kind and site, with the oldest entry and who works on it', async () => {
    await drain();
    const first = await wait();
    await wait();
    await next(bob);
    const { body } = await ann.get('/staff/queue/summary').expect(200);
    const { queues, claims } = body as { queues: Line[]; claims: object[] };
    expect(queues).toHaveLength(4 * 7);
    expect(queues.find(({ kind, siteid }) => kind === 'profile' && siteid === 2)).toEqual({
      kind: 'profile',
      siteid: 2,
      waiting: 2,
      claimed: 1,
      oldest: (await entryOf('profile', first))?.since,
    });
    expect(queues.find(({ kind, siteid }) => kind === 'photo' && siteid === 3)).toMatchObject({
      waiting: 0,
      oldest: null,
    });
    expect(claims).toMatchObject([{ kind: 'profile', id: first.id, siteid: 2, staff_id: bob.memberId }]);
    const elsewhere = await service.staff({ 1: ['moderator'] });
    const { body: theirs } = await elsewhere.get('/staff/queue/summary').expect(200);
    expect(theirs).toMatchObject({
      claims: [],
      queues: [{ siteid: 1 }, { siteid: 1 }, { siteid: 1 }, { siteid: 1 }],
    });
    await elsewhere.get('/staff/queue/summary?siteid=2').expect(403);
  });

  it('is measured for alerts: the age of the oldest entry, claims, and decisions', async () => {
    await drain();
    const { staffWaiting, staffClaims, staffDecisions } = service.context.metrics;
    const values = async () => {
      await measureQueue(service.context);
      const [waiting, claims, decisions] = await Promise.all(
        [staffWaiting, staffClaims, staffDecisions].map(async (metric) => (await metric.get()).values),
      );
      const of = (list: typeof waiting, labels: object) =>
        list?.find((each) => isDeepStrictEqual({ ...each.labels }, labels))?.value ?? 0;
      return {
        age: of(waiting, { kind: 'profile', siteid: 2 }),
        appeals: of(waiting, { kind: 'appeal', siteid: 2 }),
        claimed: of(claims, { kind: 'profile' }),
        decided: of(decisions, { kind: 'profile' }),
      };
    };
    const before = await values();
    expect(before).toMatchObject({ age: 0, claimed: 0 });
    const member = await wait();
    service.advance(2 * minute);
    await next(ann);
    const then = await values();
    expect(then).toMatchObject({ claimed: 1, decided: before.decided });
    expect(Math.floor(then.age / 60)).toBe(2);
    await ann.post(`/staff/members/${member.id}/reject`, { reason: 'No' }).expect(200);
    await service.internal('/internal/decisions/appeal', {
      member_id: member.memberId,
      decision_id: (await service.context.moderation.decisions.latest(member.id, 'reject'))?.id,
      text: 'It is me.',
    });
    service.advance(minute);
    const after = await values();
    expect(after).toMatchObject({ age: 0, claimed: 0, decided: before.decided + 1 });
    expect(Math.floor(after.appeals / 60)).toBe(1);
  });

  it('is measured for alerts: how much one of the staff restricts, whatever others do', async () => {
    const [spammer, one, other] = [await wait(), await service.staff(), await service.staff()];
    service.advance(11 * minute);
    const most = async () => {
      await measureQueue(service.context);
      return (await service.context.metrics.staffRestrictionsMost.get()).values[0]?.value;
    };
    expect(await most()).toBe(0);
    const { body: photo } = await spammer.upload(await jpegOf(60, 60)).expect(200);
    await one.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
    await one.post(`/staff/members/${spammer.id}/suspend`, why).expect(200);
    await one.post(`/staff/members/${spammer.id}/unsuspend`).expect(200);
    await other.post(`/staff/members/${spammer.id}/reject`, { reason: 'No' }).expect(200);
    await other.post(`/staff/members/${spammer.id}/approve`).expect(200);
    expect(await most()).toBe(3);
    service.advance(11 * minute);
    expect(await most()).toBe(0);
  });
});
