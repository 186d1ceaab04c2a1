import { median, p99 } from './measurement.ts';

/** How often something got done. */
export interface Pace {
  readonly perSecond: number;
  /** Milliseconds that one took. */
  readonly p50: number;
  readonly p99: number;
}

/** What times in ms, of so many seconds, say. */
export const paceOf = (times: readonly number[], seconds: number): Pace => ({
  perSecond: times.length / seconds,
  p50: median(times),
  p99: p99(times),
});

/** The rate of the round in the middle. */
export const rate = (rounds: readonly Pace[]): number => median(rounds.map((round) => round.perSecond));

/** The p99 of the round in the middle. */
export const slowest = (rounds: readonly Pace[]): number => median(rounds.map((round) => round.p99));

/** Runs workers side by side until the time is over. */
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

/** Runs workers side by side until the time is over; resolves with how often per second they got around. */
export async function perSecond(
  seconds: number,
  workers: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  return (await pace(seconds, workers, work)).perSecond;
}
