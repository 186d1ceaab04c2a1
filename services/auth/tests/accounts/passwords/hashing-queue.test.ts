import { Failure } from '@covalence/contract/failure';
import { fuzzing } from '@covalence/testing/fuzzing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { array, asyncProperty, assert, constantFrom, integer, record } from 'fast-check';
import { createHashingQueue, type Lane } from '../../../src/accounts/passwords/hashing-queue.ts';

interface Entry {
  readonly lane: Lane;
  readonly client: string;
}

/** Lets a millisecond pass: as long as each job takes, and the pause after a new password's hash. */
const step = () => jest.advanceTimersByTimeAsync(1);

/** Puts all in at once, ends one job after the other, and tells in which order they had their turns. */
async function orderOf(entries: readonly Entry[], atOnce: number, capacity: number) {
  const queue = createHashingQueue(atOnce, capacity);
  const started: number[] = [];
  const refused: number[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  let ended = 0;
  const all = entries.map(({ lane, client }, index) =>
    queue
      .run(lane, client, () => {
        started.push(index);
        most = Math.max(most, started.length - ended);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch((error: unknown) => {
        if (!(error instanceof Failure) || error.status !== 503) throw error;
        refused.push(index);
      }),
  );
  await step();
  while (ended < ends.length) {
    ends[ended]?.();
    ended += 1;
    // A second step for the pause, when no other job can run.
    await step();
    if (ended === ends.length) await step();
  }
  await Promise.all(all);
  return { started, refused, most };
}

const entry = record({ lane: constantFrom('check', 'hash'), client: constantFrom('a', 'b', 'c', 'd') });
const times = (count: number, one: Entry): Entry[] => Array.from({ length: count }, () => one);

/** Starts two registrations of 20 ms each; their names are noted when they start. */
const register = (queue: ReturnType<typeof createHashingQueue>, started: string[]) => {
  for (const name of ['first', 'second']) {
    void queue.run('hash', name, async () => {
      started.push(name);
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
  }
};

describe('the hashing queue', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs or rejects every job, with limited concurrency', async () => {
    await assert(
      asyncProperty(
        array(entry, { maxLength: 40 }),
        integer({ min: 1, max: 4 }),
        integer({ min: 1, max: 12 }),
        async (entries, atOnce, capacity) => {
          const { started, refused, most } = await orderOf(entries, atOnce, capacity);
          expect(most).toBeLessThanOrEqual(atOnce);
          const everybody = [...started, ...refused].toSorted((one, other) => one - other);
          expect(everybody).toEqual(entries.map((_one, index) => index));
          for (const lane of ['check', 'hash'] as const) {
            const wanted = entries.filter((one) => one.lane === lane).length;
            const lost = refused.filter((index) => entries[index]?.lane === lane).length;
            expect(lost).toBeLessThanOrEqual(Math.max(0, wanted - capacity));
          }
        },
      ),
      fuzzing(),
    );
  });

  it('starts a sign-in immediately during many registrations, with several threads', async () => {
    const entries = [...times(50, { lane: 'hash', client: 'a' }), { lane: 'check', client: 'b' } as const];
    const { started } = await orderOf(entries, 2, 300);
    // One registration is under way; the other place is kept for sign-ins.
    expect(started.indexOf(50)).toBe(1);
  });

  it('gives registrations a quarter of the turns during many sign-ins', async () => {
    const entries = [
      ...times(60, { lane: 'check', client: 'a' }),
      ...times(10, { lane: 'hash', client: 'b' }),
    ];
    const { started } = await orderOf(entries, 1, 300);
    const hashes = started.slice(0, 44).filter((index) => entries[index]?.lane === 'hash');
    expect(hashes).toHaveLength(10);
  });

  it('lets clients take turns, so that one with many jobs does not delay others', async () => {
    const many = times(40, { lane: 'hash', client: 'many' });
    const entries = [...many, ...['b', 'c'].map((client) => ({ lane: 'hash', client }) as const)];
    const { started } = await orderOf(entries, 1, 300);
    expect(Math.max(started.indexOf(40), started.indexOf(41))).toBeLessThanOrEqual(4);
  });

  it('counts an IPv6 /48 as one client, which is rejected first when a queue is full', async () => {
    const many = Array.from(
      { length: 40 },
      (_, index) => ({ lane: 'check', client: `2001:db8:1:${index.toString(16)}` }) as const,
    );
    const others = ['2001:db8:2:0', '192.0.2.1', '0190a5b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b'].map(
      (client) => ({ lane: 'check', client }) as const,
    );
    const { started, refused } = await orderOf([...many, ...others], 1, 20);
    for (const index of [40, 41, 42]) expect(started.slice(0, 6)).toContain(index);
    expect(refused).toHaveLength(22);
    expect(Math.max(...refused)).toBeLessThan(40);
  });

  it('rejects a hash that has waited too long, but no sign-in', async () => {
    const queue = createHashingQueue(1, 10);
    const held = Promise.withResolvers<void>();
    const first = queue.run('hash', 'a', () => held.promise);
    const late = queue.run('hash', 'b', () => Promise.resolve('hashed'));
    const signIn = queue.run('check', 'c', () => Promise.resolve('checked'));
    const refusal = late.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(6_000);
    held.resolve();
    await first;
    await expect(signIn).resolves.toBe('checked');
    await jest.advanceTimersByTimeAsync(250);
    expect(await refusal).toMatchObject({ status: 503 });
  });

  it('pauses hashing for the time of the last hash while members sign in', async () => {
    const queue = createHashingQueue(1, 10);
    const started: string[] = [];
    const signIn = () => queue.run('check', 'c', () => Promise.resolve(started.push('sign-in')));
    await signIn();
    register(queue, started);
    await jest.advanceTimersByTimeAsync(30);
    expect(started).toEqual(['sign-in', 'first']);
    await signIn();
    expect(started).toEqual(['sign-in', 'first', 'sign-in']);
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['sign-in', 'first', 'sign-in', 'second']);
  });

  it('does not pause when nobody has signed in for 10 s', async () => {
    const queue = createHashingQueue(1, 10);
    const started: string[] = [];
    await queue.run('check', 'c', () => Promise.resolve());
    await jest.advanceTimersByTimeAsync(10_000);
    register(queue, started);
    await jest.advanceTimersByTimeAsync(20);
    expect(started).toEqual(['first', 'second']);
  });

  it('rejects the client with the most jobs when a queue is full, and none of the other queue', async () => {
    const entries: Entry[] = [
      ...times(8, { lane: 'hash', client: 'many' }),
      { lane: 'hash', client: 'one' },
      ...times(4, { lane: 'check', client: 'other' }),
    ];
    // One runs, four wait; three of the eight are refused, and a fourth for the one that came later.
    const { refused } = await orderOf(entries, 1, 4);
    expect(refused).toEqual([5, 6, 7, 4]);
  });
});
