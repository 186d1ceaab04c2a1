import { expect } from '@jest/globals';
import type * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import request from 'supertest';
import type { Photo } from '../../src/members/document/member.ts';
import { excludedFrom } from './excluded.ts';
import { otherOf, rules, unknown, type Model, type Who } from './pair-rules.ts';
import type { ServiceUnderTest } from '../harness.ts';

/** Actions on another member that have their own call. */
export const actions = ['like', 'unlike', 'decline', 'block', 'unblock'] as const;
/** One of them. */
export type Action = (typeof actions)[number];

const platinum = {
  membership: {
    status: 'active',
    autorenew: false,
    expires_at: new Date(Date.now() + 30 * 86_400_000),
    version: 1,
  },
} as const;

/** A platinum member, whose likes and messages are not limited, with a public and a private photo. */
export const register = async (service: ServiceUnderTest, gender: 'Male' | 'Female') => {
  const genderpreference = gender === 'Male' ? 'Female' : 'Male';
  const member = await service.register({ gender, genderpreference });
  const ids = await service.context.members.ids.take('photo', 2);
  const photos = ids.map((id, order): Photo => {
    const facts = { stem: stemOf(id), extension: '.jpg', sizes: [800], status: 'approved' as const };
    const rank = { primary: order === 0, order, added_at: new Date() };
    return { id, ...facts, ...rank, ...(order > 0 && { private: true }) };
  });
  await service.context.members.store.change(member.id, () => ({ ...platinum, photos }));
  await Promise.all(ids.map((id) => writeFile(join(service.photoDir, `${stemOf(id)}_800.jpg`), 'a photo')));
  return { ...member, photos: ids };
};
/** A member with photos. */
export type Someone = Awaited<ReturnType<typeof register>>;
const stemOf = (id: number) => `stem-of-the-photo-number-${id}`;

/** One member's actions on the other, and the step since which the pair is unchanged. */
interface PairModel extends Model {
  readonly passed: Record<Who, boolean>;
  readonly messaged: Record<Who, boolean>;
  readonly unread: Record<Who, number>;
  readonly reported: Record<Who, boolean>;
  /** The step at which one last looked at the other's profile, 0 for never. */
  readonly looked: Record<Who, number>;
  since: number;
}

/** Two men (`ann` of their pairs) and two women (`bob` of theirs), plainly. */
export interface World {
  readonly pairs: Map<string, PairModel>;
  readonly resets: Record<'connections' | 'likedme', number>[];
  readonly views: { total: number; since: number }[];
  step: number;
}

/** The men of the model, by their place. */
export const men = [0, 1];
/** And the women. */
export const women = [2, 3];
/** Both. */
export const everyone = [...men, ...women];
const othersOf = (member: number) => (men.includes(member) ? women : men);
const sideOf = (member: number): Who => (men.includes(member) ? 'ann' : 'bob');

const pairOf = ({ pairs }: World, one: number, other: number): PairModel => {
  const pair = pairs.get(`${Math.min(one, other)}:${Math.max(one, other)}`);
  if (!pair) throw new Error('no such pair');
  return pair;
};

/** Nobody knows anybody. */
export const newWorld = (): World => ({
  pairs: new Map(
    men.flatMap((man) =>
      women.map((woman) => [
        `${man}:${woman}`,
        {
          ...unknown(),
          passed: { ann: false, bob: false },
          messaged: { ann: false, bob: false },
          unread: { ann: 0, bob: 0 },
          reported: { ann: false, bob: false },
          looked: { ann: 0, bob: 0 },
          since: 0,
        },
      ]),
    ),
  ),
  resets: everyone.map(() => ({ connections: 0, likedme: 0 })),
  views: everyone.map(() => ({ total: 0, since: 0 })),
  step: 0,
});

const isBlocked = ({ blocks }: Model) => blocks.ann || blocks.bob;

/** The service and those of the model who are registered there. */
export interface Real {
  readonly service: ServiceUnderTest;
  readonly members: readonly Someone[];
}
const at = ({ members }: Real, index: number): Someone => {
  const member = members[index];
  if (!member) throw new Error('no such member');
  return member;
};

type Command = fc.AsyncCommand<World, Real>;

/** Every step has a time of its own, so that lists have one order. */
const begin = (world: World, { service }: Real) => {
  world.step += 1;
  service.advance(1_000);
};

export class Act implements Command {
  readonly action: Action;
  readonly by: number;
  readonly to: number;
  constructor(action: Action, by: number, to: number) {
    [this.action, this.by, this.to] = [action, by, to];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world, real);
    const [pair, me] = [pairOf(world, this.by, this.to), sideOf(this.by)];
    const refused = this.action === 'like' && isBlocked(pair);
    const before = pair.cov[me];
    rules[this.action](pair, me, otherOf(me));
    if (pair.cov[me] !== before) pair.since = world.step;
    const answer = await at(real, this.by).post(`/${this.action}`, { profileid: at(real, this.to).id });
    assert.equal(answer.status, refused ? 403 : 200);
  }
  toString = () => `${this.by} ${this.action} ${this.to}`;
}

export class Other implements Command {
  readonly what: 'pass' | 'message' | 'read' | 'report' | 'view';
  readonly by: number;
  readonly to: number;
  constructor(what: Other['what'], by: number, to: number) {
    [this.what, this.by, this.to] = [what, by, to];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world, real);
    const [pair, me] = [pairOf(world, this.by, this.to), sideOf(this.by)];
    const [caller, { id: profileid }] = [at(real, this.by), at(real, this.to)];
    if (this.what === 'pass') {
      pair.passed[me] = true;
      await caller.post('/pass', { profileid }).expect(200);
    } else if (this.what === 'report') {
      pair.reported[me] = true;
      await caller.post('/report', { profileid }).expect(200);
    } else if (this.what === 'view') {
      const hidden = pair.blocks[otherOf(me)];
      await caller.get(`/users/${profileid}`).expect(hidden ? 403 : 200);
      const views = world.views[this.to];
      if (hidden || !views) return;
      pair.looked[me] = world.step;
      views.total += 1;
      views.since += 1;
    } else if (this.what === 'read') {
      pair.unread[me] = 0;
      await caller.post(`/messages/${profileid}/read`).expect(200);
    } else {
      const { status } = await caller.post('/messages', { profileid, text: 'hello' });
      assert.equal(status, isBlocked(pair) ? 403 : 200);
      if (isBlocked(pair)) return;
      pair.messaged[me] = true;
      pair.unread[otherOf(me)] += 1;
    }
  }
  toString = () => `${this.by} ${this.what} ${this.to}`;
}

/** An agreement about photos, and what is sent for it. */
export type Sharing = 'share-photos' | 'unshare-photos' | 'accept-photos' | 'refuse-photos';
export const parameterOf: Record<Sharing, object> = {
  'share-photos': { send: true },
  'unshare-photos': { send: 'false' },
  'accept-photos': { receive: 1 },
  'refuse-photos': { receive: false },
};

export class Share implements Command {
  readonly what: readonly Sharing[];
  readonly by: number;
  readonly to: number;
  constructor(what: Share['what'], by: number, to: number) {
    [this.what, this.by, this.to] = [what, by, to];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world, real);
    const [pair, me] = [pairOf(world, this.by, this.to), sideOf(this.by)];
    const agrees = this.what.some((each) => each === 'share-photos' || each === 'accept-photos');
    const refused = isBlocked(pair) && agrees;
    if (!refused) for (const each of this.what) rules[each](pair, me, otherOf(me));
    const parameters = Object.assign({}, ...this.what.map((each) => parameterOf[each])) as object;
    const { status, body } = await at(real, this.by).post('/members/self/photosharing', {
      profileid: at(real, this.to).id,
      ...parameters,
    });
    assert.equal(status, refused ? 403 : 200);
    if (!refused) assert.deepEqual(body, flagsOf(pair, me));
  }
  toString = () => `${this.by} ${this.what.join(' and ')} ${this.to}`;
}

export class Reset implements Command {
  readonly page: 'connections' | 'likedme' | 'views';
  readonly by: number;
  constructor(page: Reset['page'], by: number) {
    [this.page, this.by] = [page, by];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world, real);
    const [reset, views] = [world.resets[this.by], world.views[this.by]];
    if (this.page !== 'views' && reset) reset[this.page] = world.step;
    if (this.page === 'views' && views) views.since = 0;
    await at(real, this.by).post(`/members/self/activity/reset/${this.page}`).expect(200);
  }
  toString = () => `${this.by} reset ${this.page}`;
}

/** The others whose covalence with a member is so, newest first, with the step since when. */
const those = (world: World, member: number, covalence: string) =>
  othersOf(member)
    .map((other) => ({ other, pair: pairOf(world, member, other) }))
    .filter(({ pair }) => pair.cov[sideOf(member)] === covalence)
    .sort((one, two) => two.pair.since - one.pair.since);

/** The record's word for who blocks. */
export const blockedWord = ({ blocks }: Model, me: Who) => {
  if (blocks[me]) return blocks[otherOf(me)] ? 'both' : 'them';
  return blocks[otherOf(me)] ? 'you' : 'none';
};

/** The flags of photo sharing as one of a pair is shown them. */
export const flagsOf = ({ sends, takes }: Model, me: Who) => ({
  can_share: true,
  can_send_to: sends[me],
  can_receive_from: takes[me],
  receiving_me: takes[otherOf(me)],
});

/** The photos of another that a member sees, and the bytes of the private one, whose address they kept. */
const comparePhotos = async (
  service: ServiceUnderTest,
  pair: Model,
  viewer: Someone,
  me: Who,
  other: Someone,
) => {
  const [first = 0, second = 0] = other.photos;
  const isShared = pair.sends[otherOf(me)] && pair.takes[me];
  const isHidden = pair.blocks[otherOf(me)];
  const { status, body } = await viewer.get(`/photo?profileid=${other.id}`);
  if (isHidden) assert.equal(status, 403);
  else expect(body.map(({ id }: Photo) => id)).toEqual(isShared ? [first, second] : [first]);
  const address = service.context.records.photoAddresses.of(viewer.id)({}, { id: second });
  const file = await request(service.app).get(`${new URL(address).pathname}_800.jpg`);
  assert.equal(file.status, isShared && !isHidden ? 200 : 404);
};

/** Compares everything that one member can see with the model. */
export const compare = async (world: World, real: Real, member: number) => {
  const { service } = real;
  const [viewer, me, others] = [at(real, member), sideOf(member), othersOf(member)];
  const idsOf = (found: readonly { other: number }[]) => found.map(({ other }) => at(real, other).id);
  const visible = others.filter((other) => !pairOf(world, member, other).blocks[otherOf(me)]);

  const { body: page } = await service.internal('/internal/records', {
    viewer: viewer.id,
    ids: others.map((other) => at(real, other).id),
  });
  expect(page.records).toMatchObject(
    visible.map((other) => {
      const pair = pairOf(world, member, other);
      return {
        id: at(real, other).id,
        covalence: pair.cov[me],
        blocked: blockedWord(pair, me),
        member_messaged_by_viewer: pair.messaged[me],
        viewer_messaged_by_member: pair.messaged[otherOf(me)],
        cansendto: isBlocked(pair) ? 'n' : 'y',
        reported: pair.reported[me],
        shared_photos: flagsOf(pair, me),
        photo_count: pair.sends[otherOf(me)] && pair.takes[me] ? 2 : 1,
      };
    }),
  );
  expect(page.records).toHaveLength(visible.length);
  const seen = others.map((other) =>
    comparePhotos(service, pairOf(world, member, other), viewer, me, at(real, other)),
  );
  await Promise.all(seen);

  const excluded = others.filter((other) => {
    const pair = pairOf(world, member, other);
    const mine = ['liked', 'mutual', 'declinedme', 'declined'].includes(pair.cov[me]);
    return isBlocked(pair) || pair.passed[me] || mine;
  });
  const left = await excludedFrom(service, viewer.id, ['blocks', 'declines', 'likes', 'passes']);
  expect(new Set(left)).toEqual(new Set(excluded.map((other) => at(real, other).id)));

  const [connections, likedme] = [those(world, member, 'mutual'), those(world, member, 'likedme')];
  const resets = world.resets[member] ?? { connections: 0, likedme: 0 };
  const since = (found: typeof connections, step: number) =>
    found.filter(({ pair }) => pair.since > step).length;
  const views = world.views[member];
  const { body: counters } = await viewer.get('/members/self/activity');
  expect(counters).toEqual({
    views_total: views?.total,
    views_since_reset: views?.since,
    connections_total: connections.length,
    connections_since_reset: since(connections, resets.connections),
    likedme_total: likedme.length,
    likedme_since_reset: since(likedme, resets.likedme),
  });
  for (const [name, found] of Object.entries({ connections, likedme })) {
    const { body } = await viewer.get(`/members/self/activity/${name}`).expect(200);
    expect(body.users.map(({ id }: { id: number }) => id)).toEqual(idsOf(found));
  }

  const looked = (other: number) => pairOf(world, member, other).looked[otherOf(me)];
  const lookers = visible.filter(looked).sort((one, two) => looked(two) - looked(one));
  const { body: viewers } = await viewer.get('/members/self/activity/views').expect(200);
  expect(viewers.users.map(({ id }: { id: number }) => id)).toEqual(
    lookers.map((other) => at(real, other).id),
  );

  const unread = others.reduce((sum, other) => sum + pairOf(world, member, other).unread[me], 0);
  expect((await viewer.get('/messages').expect(200)).body.unread).toBe(unread);
};
