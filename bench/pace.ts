import { p99 } from './measurement.ts';

/** How often something got done. */
export interface Pace {
  readonly perSecond: number;
  /** Milliseconds, to a thousandth: how long one took. */
  readonly p99: number;
}

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
  return { perSecond: (times.length * 1_000) / (performance.now() - begun), p99: p99(times) };
}

/** Runs workers side by side until the time is over; resolves with how often per second they got around. */
export async function perSecond(
  seconds: number,
  workers: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  return (await pace(seconds, workers, work)).perSecond;
}
