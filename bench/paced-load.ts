import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** A load that asks at a steady pace, whether or not the answers keep up. */
export interface PacedLoad {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly authorization?: string;
  /** Addresses of this machine that it comes from, in turn. */
  readonly from: readonly string[];
}

/**
 * Begins pieces of work at a steady pace, whether or not those before are done, and resolves with the waiting time of each in
 * ms, which counts from when it was due. Rejects when one fails.
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
    for (let index = begun.length; index <= due && index < perSecond * seconds; index += 1) {
      begun.push(one(index).catch((error: unknown) => failures.push(error)));
    }
    await wait(1);
  }
  await Promise.all(begun);
  if (failures.length) {
    throw new Error(`${failures.length} of ${begun.length} requests failed`, { cause: failures[0] });
  }
  return times;
}

/**
 * The waiting time in ms of each request. It counts from when the request was due, so that a pause shows in every one that fell
 * into it. Rejects when a request fails or its answer is no 200.
 */
export async function pacedLoad({
  url,
  perSecond,
  seconds,
  authorization,
  from,
}: PacedLoad): Promise<number[]> {
  const agents = from.map((localAddress) => ({ localAddress, agent: new Agent({ keepAlive: true }) }));
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const ask = async (index: number): Promise<void> => {
    const sent = request(url, { ...agents[index % agents.length], headers }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
  };
  try {
    return await pacedTimes(perSecond, seconds, ask);
  } finally {
    for (const { agent } of agents) agent.destroy();
  }
}
