import { randomOf } from '@covalence/seed/population/random';
import type { Demo } from '@covalence/seed/demo';
import { until } from '@covalence/testing/until';
import { setTimeout as wait } from 'node:timers/promises';
import { actOnce, makePlatinum, type World } from './actions.ts';
import { createCaller, type Answered } from './caller.ts';
import type { Outside } from '../outside.ts';
import { createVirtualMember, type VirtualMember } from './virtual-member.ts';

/** A steady load by members. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Options of a load. */
export interface LoadOptions {
  /** Base address of the requests. */
  readonly base: string;
  readonly demo: Demo;
  readonly outside: Outside;
  /** Number of pairs of a man and a woman. */
  readonly pairs: number;
  readonly seed: number;
  /** Average ms between two actions of a member. */
  readonly everyMs: number;
  /** A request hangs after this time, ms. */
  readonly limitMs: number;
}

const pauseLimitMs = 60_000;

/** Each man has the next three women as partners, and they him. */
function introduce(members: readonly VirtualMember[]): void {
  const men = members.filter(({ isMan }) => isMan);
  const women = members.filter(({ isMan }) => !isMan);
  men.forEach((man, at) => {
    const partners = new Set([0, 1, 2].flatMap((further) => women[(at + further) % women.length] ?? []));
    for (const woman of partners) {
      man.partners.push(woman);
      woman.partners.push(man);
    }
  });
}

/** Registers members, buys memberships and starts. */
export async function startLoad(options: LoadOptions) {
  const { base, demo, outside, pairs, seed, everyMs, limitMs } = options;
  const over = new AbortController();
  let answers: Answered[] = [];
  let complaints: string[] = [];
  let lastTrouble = 0;
  const call = createCaller(base, limitMs, (answered) => {
    answers.push(answered);
    if (answered.outcome !== 'ok') lastTrouble = answered.at;
  });
  const members: VirtualMember[] = [];
  for (let number = 0; number < 2 * pairs; number += 1) {
    const random = randomOf(seed, 'member', number);
    members.push(await createVirtualMember(base, demo, number % 2 === 0, random, outside));
  }
  introduce(members);
  const world: World = {
    base,
    demo,
    outside,
    call,
    joined: [],
    complain: (what) => void complaints.push(what),
    over: over.signal,
  };
  for (const member of members) await makePlatinum(member, world);
  for (const member of members) {
    await until('platinum', async () => {
      const { body } = await call({
        what: 'read self',
        path: '/users/self',
        token: member.tokens.access_token,
      });
      return body['platinum'] === 'y';
    });
  }

  let gate = Promise.withResolvers<void>();
  let isPaused = true;
  let acting = 0;
  const live = async (member: VirtualMember): Promise<void> => {
    while (!over.signal.aborted) {
      await gate.promise;
      acting += 1;
      try {
        await actOnce(member, world);
      } catch (error) {
        if (!over.signal.aborted) complaints.push(`the load itself failed: ${String(error)}`);
      } finally {
        acting -= 1;
      }
      await wait(everyMs * (0.5 + member.random.real()), undefined, { signal: over.signal });
    }
  };
  // They reject when the run is over.
  const lives = Promise.allSettled(members.map(live));
  const goOn = () => {
    isPaused = false;
    gate.resolve();
  };
  goOn();

  return {
    members,
    joined: world.joined,
    /** Requests since the last call. */
    takeAnswers(): readonly Answered[] {
      const taken = answers;
      answers = [];
      return taken;
    },
    /** Problems since the last call. */
    takeComplaints(): readonly string[] {
      const taken = complaints;
      complaints = [];
      return taken;
    },
    /** Time of the last failed request (Date.now()). */
    get lastTrouble() {
      return lastTrouble;
    },
    /** Finishes actions in progress and starts no new ones; rejects after a minute. */
    async pause(): Promise<void> {
      if (!isPaused) gate = Promise.withResolvers();
      isPaused = true;
      await until('nothing under way', () => acting === 0, pauseLimitMs);
    },
    goOn,
    async stop(): Promise<void> {
      over.abort();
      gate.resolve();
      await lives;
      for (const { follower } of members) follower.close();
    },
  };
}
