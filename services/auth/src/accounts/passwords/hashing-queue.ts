import { unavailable } from '@covalence/contract/failure';
import { networkKey } from '@covalence/http/address-key';

/** Kinds of jobs, each with its own queue: `check` compares a password at a sign-in, `hash` hashes a new password. */
export type Lane = 'check' | 'hash';

/** Order in which waiting jobs start: a check waits for at most one hash; hashes get a quarter. */
const turns: readonly Lane[] = ['check', 'check', 'check', 'hash'];

/** Timeout of a waiting job: profile gives up a registration after 5 s, a browser a sign-in after 30 s. */
const timeoutMs: Readonly<Record<Lane, number>> = { check: 25_000, hash: 4_500 };

/** While members sign in: time since the last check. */
const signInWindowMs = 10_000;

/** Longest pause after a hash while members sign in; it takes as long as the hash, to halve the load. */
const maxPauseMs = 250;

interface Job {
  /** By `performance.now()`. */
  readonly until: number;
  start(): void;
  refuse(): void;
}

/** A fair queue: clients take turns, so that one with many jobs does not delay the others. */
function createQueue(capacity: number) {
  const waiting = new Map<string, Job[]>();
  let size = 0;

  /** Rejects the last job of the client with the most jobs; false when `client` has as many. */
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
      // The client's next job comes after those of all others.
      waiting.delete(client);
      if (jobs.length) waiting.set(client, jobs);
      size -= 1;
      return job;
    },
  };
}

/** Creates the queues: `atOnce` jobs run at a time, and at most `capacity` wait in each queue. */
export function createHashingQueue(atOnce: number, capacity: number) {
  const queues = { check: createQueue(capacity), hash: createQueue(capacity) };
  // With several threads, one is reserved for checks: a sign-in does not wait for a running hash.
  const most: Readonly<Record<Lane, number>> = { check: atOnce, hash: Math.max(1, atOnce - 1) };
  const running: Record<Lane, number> = { check: 0, hash: 0 };
  let pauses = 0;
  let lastCheck = -Infinity;
  let turn = 0;

  const isFree = (lane: Lane): boolean => running[lane] + (lane === 'hash' ? pauses : 0) < most[lane];

  /** The next job among the queues with a free thread. */
  const next = (): Job | undefined => {
    for (let looked = 0; looked < turns.length; looked += 1) {
      const lane = turns[turn] ?? 'check';
      turn = (turn + 1) % turns.length;
      const job = isFree(lane) ? queues[lane].next() : undefined;
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
    setTimeout(end, Math.min(ms, maxPauseMs)).unref();
  };
  return {
    /**
     * Runs a job and resolves to its result; 503 when its queue is full or it waited too long. `client` is an address from
     * addressKey() or an account id; an IPv6 /48 is one client.
     */
    run: <Result>(lane: Lane, client: string, work: () => Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        const start = () => {
          const began = performance.now();
          const ended = () => {
            running[lane] -= 1;
            const now = performance.now();
            if (lane === 'hash' && now - lastCheck < signInWindowMs) pause(now - began);
            fill();
          };
          running[lane] += 1;
          void work().then(resolve, reject).finally(ended);
        };
        const refuse = () => reject(unavailable(new Error(`the password queue for ${lane} jobs is full`)));
        const now = performance.now();
        if (lane === 'check') lastCheck = now;
        queues[lane].add(networkKey(client), { until: now + timeoutMs[lane], start, refuse });
        fill();
      }),
  };
}

/** Schedules password hashing fairly. */
export type HashingQueue = ReturnType<typeof createHashingQueue>;
