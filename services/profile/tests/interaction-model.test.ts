import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { otherOf, rules, unknown, type Model, type Who } from './support/pair-rules.ts';
import { excludedFrom } from './support/excluded.ts';
import { startService, type TestMember, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService('interaction-model');
});
afterAll(() => service.close());

const actions = ['like', 'unlike', 'decline', 'block', 'unblock'] as const;
type Action = (typeof actions)[number];

const platinum = {
  membership: {
    status: 'active',
    autorenew: false,
    expires_at: new Date(Date.now() + 30 * 86_400_000),
    version: 1,
  },
} as const;

/** A platinum member: neither likes nor messages are limited. */
const join = async (gender: 'Male' | 'Female') => {
  const genderpreference = gender === 'Male' ? 'Female' : 'Male';
  const member = await service.register({ gender, genderpreference });
  await service.context.members.change(member.id, () => platinum);
  return member;
};

/** What one of a pair did towards the other, and since which step the two are as they are. */
interface PairModel extends Model {
  readonly passed: Record<Who, boolean>;
  readonly messaged: Record<Who, boolean>;
  readonly unread: Record<Who, number>;
  since: number;
}

/** Two men (`ann` of their pairs) and two women (`bob` of theirs), plainly. */
interface World {
  readonly pairs: Map<string, PairModel>;
  readonly resets: Record<'connections' | 'likedme', number>[];
  step: number;
}

const men = [0, 1];
const women = [2, 3];
const everyone = [...men, ...women];
const othersOf = (member: number) => (men.includes(member) ? women : men);
const sideOf = (member: number): Who => (men.includes(member) ? 'ann' : 'bob');

const pairOf = ({ pairs }: World, one: number, other: number): PairModel => {
  const pair = pairs.get(`${Math.min(one, other)}:${Math.max(one, other)}`);
  if (!pair) throw new Error('no such pair');
  return pair;
};

const newWorld = (): World => ({
  pairs: new Map(
    men.flatMap((man) =>
      women.map((woman) => [
        `${man}:${woman}`,
        {
          ...unknown(),
          passed: { ann: false, bob: false },
          messaged: { ann: false, bob: false },
          unread: { ann: 0, bob: 0 },
          since: 0,
        },
      ]),
    ),
  ),
  resets: everyone.map(() => ({ connections: 0, likedme: 0 })),
  step: 0,
});

const isBlocked = ({ blocks }: Model) => blocks.ann || blocks.bob;

type Real = readonly TestMember[];
const at = (real: Real, index: number): TestMember => {
  const member = real[index];
  if (!member) throw new Error('no such member');
  return member;
};

/** Every step has a time of its own, so that lists have one order. */
const begin = (world: World) => {
  world.step += 1;
  service.advance(1_000);
};

class Act implements fc.AsyncCommand<World, Real> {
  readonly action: Action;
  readonly by: number;
  readonly to: number;
  constructor(action: Action, by: number, to: number) {
    [this.action, this.by, this.to] = [action, by, to];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world);
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

class Other implements fc.AsyncCommand<World, Real> {
  readonly what: 'pass' | 'message' | 'read';
  readonly by: number;
  readonly to: number;
  constructor(what: Other['what'], by: number, to: number) {
    [this.what, this.by, this.to] = [what, by, to];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world);
    const [pair, me] = [pairOf(world, this.by, this.to), sideOf(this.by)];
    const [caller, { id: profileid }] = [at(real, this.by), at(real, this.to)];
    if (this.what === 'pass') {
      pair.passed[me] = true;
      await caller.post('/pass', { profileid }).expect(200);
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

class Reset implements fc.AsyncCommand<World, Real> {
  readonly page: 'connections' | 'likedme';
  readonly by: number;
  constructor(page: Reset['page'], by: number) {
    [this.page, this.by] = [page, by];
  }
  check = () => true;
  async run(world: World, real: Real) {
    begin(world);
    const reset = world.resets[this.by];
    if (reset) reset[this.page] = world.step;
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

const blockedWord = ({ blocks }: Model, me: Who) => {
  if (blocks[me]) return blocks[otherOf(me)] ? 'both' : 'them';
  return blocks[otherOf(me)] ? 'you' : 'none';
};

/** Compares everything that one member can see with the model. */
const compare = async (world: World, real: Real, member: number) => {
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
      };
    }),
  );
  expect(page.records).toHaveLength(visible.length);

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
  const { body: counters } = await viewer.post('/members/self/activity/reset/views');
  expect(counters).toMatchObject({
    connections_total: connections.length,
    connections_since_reset: since(connections, resets.connections),
    likedme_total: likedme.length,
    likedme_since_reset: since(likedme, resets.likedme),
  });
  for (const [name, found] of Object.entries({ connections, likedme })) {
    const { body } = await viewer.get(`/members/self/activity/${name}`).expect(200);
    expect(body.users.map(({ id }: { id: number }) => id)).toEqual(idsOf(found));
  }

  const unread = others.reduce((sum, other) => sum + pairOf(world, member, other).unread[me], 0);
  expect((await viewer.get('/messages').expect(200)).body.unread).toBe(unread);
};

class Compare implements fc.AsyncCommand<World, Real> {
  check = () => true;
  async run(world: World, real: Real) {
    for (const member of everyone) await compare(world, real, member);
  }
  toString = () => 'compare';
}

const meeting = fc
  .tuple(fc.constantFrom(...men), fc.constantFrom(...women), fc.boolean())
  .map(([man, woman, turned]) => (turned ? ([woman, man] as const) : ([man, woman] as const)));
const acts = fc.tuple(fc.constantFrom(...actions), meeting).map(([act, [by, to]]) => new Act(act, by, to));
const likes = meeting.map(([by, to]) => new Act('like', by, to));
const others = fc
  .tuple(fc.constantFrom('pass', 'message', 'read'), meeting)
  .map(([what, [by, to]]) => new Other(what, by, to));
const resets = fc
  .tuple(fc.constantFrom('connections', 'likedme'), fc.constantFrom(...everyone))
  .map(([page, by]) => new Reset(page, by));
const comparisons = fc.constant(new Compare());

describe('members who act on each other', () => {
  it('see what a plain model says, after any sequence of calls', async () => {
    const sequences = fc.commands([acts, likes, others, resets, comparisons], {
      maxCommands: 30,
      size: 'max',
    });
    const run = fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const real = await Promise.all(everyone.map((each) => join(men.includes(each) ? 'Male' : 'Female')));
        const model = newWorld();
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const member of everyone) await compare(model, real, member);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    await expect(run).resolves.toBeUndefined();
  }, 120_000);
});

/** A call by one of a pair. */
type Move = readonly [who: Who, action: Action];

/** What each of the two sees: the other is hidden behind their block. */
const observed = (model: Model): string =>
  (['ann', 'bob'] as const)
    .map((me) => (model.blocks[otherOf(me)] ? 'hidden' : `${model.cov[me]} ${blockedWord(model, me)}`))
    .join(', ');

/** Every outcome that some order of the moves has. */
const outcomes = (moves: readonly Move[]): Set<string> => {
  const kinds = [...new Map(moves.map((move) => [move.join(' '), move])).values()];
  const counts = kinds.map((kind) => moves.filter((move) => move.join() === kind.join()).length);
  const seen = new Set<string>();
  const found = new Set<string>();
  const visit = (model: Model, left: readonly number[]): void => {
    const key = JSON.stringify([model, left]);
    if (seen.has(key)) return;
    seen.add(key);
    if (left.every((count) => count === 0)) found.add(observed(model));
    for (const [index, [who, action]] of kinds.entries()) {
      if (!left[index]) continue;
      const next = structuredClone(model);
      rules[action](next, who, otherOf(who));
      visit(
        next,
        left.map((count, each) => (each === index ? count - 1 : count)),
      );
    }
  };
  visit(unknown(), counts);
  return found;
};

const seenBy = async (viewer: TestMember, other: TestMember) => {
  const asked = { viewer: viewer.id, ids: [other.id] };
  const { body } = await service.internal('/internal/records', asked);
  const [record] = body.records;
  return record ? `${record.covalence} ${record.blocked}` : 'hidden';
};

describe('twenty clients at once on one pair', () => {
  const move = fc.tuple(fc.constantFrom<Who>('ann', 'bob'), fc.constantFrom(...actions));
  const crowds = fc
    .uniqueArray(move, { minLength: 2, maxLength: 5, selector: (one) => one.join() })
    .chain((kinds) => fc.array(fc.constantFrom(...kinds), { minLength: 20, maxLength: 20 }));

  it('leave what some order of their calls would', async () => {
    await fc.assert(
      fc.asyncProperty(crowds, async (moves) => {
        const [ann, bob] = await Promise.all([join('Male'), join('Female')]);
        const members = { ann, bob };
        const answers = await Promise.all(
          moves.map(([who, action]) =>
            members[who].post(`/${action}`, { profileid: members[otherOf(who)].id }),
          ),
        );
        expect(answers.filter(({ status }) => status !== 200 && status !== 403)).toEqual([]);
        const seen = [await seenBy(ann, bob), await seenBy(bob, ann)].join(', ');
        expect([...outcomes(moves)]).toContain(seen);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }, 120_000);
});
