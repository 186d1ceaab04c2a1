import autocannon from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from './effort.ts';
import { median, p99 } from './measurement.ts';

/** The rate of a load, and the latency of a request in ms. */
export interface Pace {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const paceOf = (times: readonly number[], seconds: number): Pace => ({
  perSecond: times.length / seconds,
  p50: median(times),
  p99: p99(times),
});

/** The rate of the median round. */
export const rate = (rounds: readonly Pace[]): number => median(rounds.map((round) => round.perSecond));

/** The p99 of the median round. */
export const slowest = (rounds: readonly Pace[]): number => median(rounds.map((round) => round.p99));

/** Runs the reference and Covalence in turns, so that a busy moment of the machine affects both. */
export async function inTurns<Outcome>(
  reference: () => Promise<Outcome>,
  own: () => Promise<Outcome>,
  rounds = effort.rounds,
): Promise<{ readonly own: Outcome[]; readonly reference: Outcome[] }> {
  const outcomes = { own: [] as Outcome[], reference: [] as Outcome[] };
  for (let round = 0; round < rounds; round += 1) {
    outcomes.reference.push(await reference());
    outcomes.own.push(await own());
  }
  return outcomes;
}

/** Repeats work in parallel workers for some seconds. */
export async function pace(
  seconds: number,
  workers: number,
  work: (worker: number) => Promise<unknown>,
): Promise<Pace> {
  const begun = performance.now();
  const times: number[] = [];
  const loop = async (worker: number) => {
    for (let at = performance.now(); at - begun < seconds * 1_000;) {
      await work(worker);
      const now = performance.now();
      times.push(now - at);
      at = now;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_one, worker) => loop(worker)));
  return paceOf(times, (performance.now() - begun) / 1_000);
}

/** Loads a server with autocannon; rejects when a request fails. */
export async function cannonade(options: autocannon.Options): Promise<Pace> {
  const times: number[] = [];
  const result = await autocannon({
    ...options,
    setupClient(client) {
      options.setupClient?.(client);
      client.on('response', (_status: number, _bytes: number, time: number) => times.push(time));
    },
  });
  const failed = result.non2xx + result.errors;
  if (failed) throw new Error(`${failed} requests of ${options.url} failed`);
  return paceOf(times, result.duration);
}

/**
 * Starts work at a fixed rate, whether or not earlier work has finished. Resolves with the latencies in ms, counted from
 * when each was due, so that a pause shows in every request that falls into it. Rejects when one fails.
 */
export async function pacedTimes(
  perSecond: number,
  seconds: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const failures: unknown[] = [];
  const start = performance.now();
  const one = async (index: number) => {
    await work(index);
    times.push(performance.now() - start - (index * 1_000) / perSecond);
  };
  const begun: Promise<unknown>[] = [];
  while (begun.length < perSecond * seconds) {
    const due = Math.floor(((performance.now() - start) * perSecond) / 1_000);
    while (begun.length <= due && begun.length < perSecond * seconds) {
      begun.push(one(begun.length).catch((error: unknown) => failures.push(error)));
    }
    await wait(1);
  }
  await Promise.all(begun);
  if (failures.length) {
    throw new Error(`${failures.length} of ${begun.length} requests failed`, { cause: failures[0] });
  }
  return times;
}
