import { unavailable } from '@covalence/contract/failure';
import { networkKey } from '@covalence/http/address-key';

/** Kinds of work, each with a line of its own: `check` compares a password at a sign-in, `hash` makes a new password's hash. */
export type Lane = 'check' | 'hash';

/**
 * Whose turn it is, again and again, where both lanes wait: three checks for each hash. A check waits for one hash at most,
 * and a wave of sign-ins leaves registrations a quarter.
 */
const turns: readonly Lane[] = ['check', 'check', 'check', 'hash'];

/**
 * How long somebody waits for their turn, ms; later nobody waits for it any more, and work done then would keep others
 * waiting. A service that registers somebody gives up after 5 s, a browser that signs in after 30 s.
 */
const patienceMs: Readonly<Record<Lane, number>> = { check: 25_000, hash: 4_500 };

/**
 * Longest pause after a new password's hash, ms. The pause is as long as the hash took: registrations use at most half of
 * each thread they may have, and less where the processor is busy, so that a wave of them leaves time for sign-ins.
 */
const longestPauseMs = 250;

interface Job {
  /** By `performance.now()`. */
  readonly until: number;
  start(): void;
  refuse(): void;
}

/** Those who wait in one lane: clients take turns, so that one with many jobs waits for itself. */
function createLine(capacity: number) {
  const waiting = new Map<string, Job[]>();
  let size = 0;

  /** Makes room by refusing the last job of the client with the most; false where the newcomer has as many. */
  const makeRoom = (client: string): boolean => {
    let longest: Job[] = [];
    for (const jobs of waiting.values()) if (jobs.length > longest.length) longest = jobs;
    if ((waiting.get(client)?.length ?? 0) + 1 >= longest.length) return false;
    longest.pop()?.refuse();
    size -= 1;
    return true;
  };

  return {
    add(client: string, job: Job): void {
      if (size >= capacity && !makeRoom(client)) return job.refuse();
      const jobs = waiting.get(client);
      if (jobs) jobs.push(job);
      else waiting.set(client, [job]);
      size += 1;
    },
    next(): Job | undefined {
      const [first] = waiting;
      if (!first) return undefined;
      const [client, jobs] = first;
      const job = jobs.shift();
      // Behind all others, where more of it waits.
      waiting.delete(client);
      if (jobs.length) waiting.set(client, jobs);
      size -= 1;
      return job;
    },
  };
}

/** Runs work that hashes passwords in fair turns. */
export interface HashingLanes {
  /**
   * Resolves with what the work came to once it had its turn; 503 where its lane is full, or where its turn comes too late.
   * `client` is who takes turns with others: an address as `addressKey` gives it, or an account's id. All of an IPv6 /48 are one.
   */
  run<Result>(lane: Lane, client: string, work: () => Promise<Result>): Promise<Result>;
}

/** Creates lanes that run `atOnce` jobs at a time, while at most `capacity` wait in each lane. */
export function createHashingLanes(atOnce: number, capacity: number): HashingLanes {
  const lines = { check: createLine(capacity), hash: createLine(capacity) };
  // One place is kept for checks, where there are several: a sign-in then waits for no hash that is under way.
  const most: Readonly<Record<Lane, number>> = { check: atOnce, hash: Math.max(1, atOnce - 1) };
  const running: Record<Lane, number> = { check: 0, hash: 0 };
  let pauses = 0;
  let turn = 0;

  const isFree = (lane: Lane): boolean => running[lane] + (lane === 'hash' ? pauses : 0) < most[lane];

  /** The lane whose turn it is among those that have somebody waiting and a place free. */
  const next = (): Job | undefined => {
    for (let looked = 0; looked < turns.length; looked += 1) {
      const lane = turns[turn] ?? 'check';
      turn = (turn + 1) % turns.length;
      const job = isFree(lane) ? lines[lane].next() : undefined;
      if (job) return job;
    }
    return undefined;
  };
  const fill = (): void => {
    while (running.check + running.hash < atOnce) {
      const job = next();
      if (!job) return;
      if (job.until < performance.now()) job.refuse();
      else job.start();
    }
  };
  const pause = (ms: number): void => {
    pauses += 1;
    const end = () => {
      pauses -= 1;
      fill();
    };
    setTimeout(end, Math.min(ms, longestPauseMs)).unref();
  };
  return {
    run: (lane, client, work) =>
      new Promise((resolve, reject) => {
        const start = () => {
          const begun = performance.now();
          const ended = () => {
            running[lane] -= 1;
            if (lane === 'hash') pause(performance.now() - begun);
            fill();
          };
          running[lane] += 1;
          void work().then(resolve, reject).finally(ended);
        };
        const refuse = () => reject(unavailable(new Error(`too many passwords wait in the lane ${lane}`)));
        lines[lane].add(networkKey(client), { until: performance.now() + patienceMs[lane], start, refuse });
        fill();
      }),
  };
}
