import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { p99 } from './measurement.ts';

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
 * The p99 of the waiting time in ms. It counts from when a request was due, so that a pause shows in every request that fell into
 * it. Rejects when a request fails or its answer is no 200.
 */
export async function pacedP99({ url, perSecond, seconds, authorization, from }: PacedLoad): Promise<number> {
  const agents = from.map((localAddress) => ({ localAddress, agent: new Agent({ keepAlive: true }) }));
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const times: number[] = [];
  const ask = async (due: number, index: number): Promise<void> => {
    const sent = request(url, { ...agents[index % agents.length], headers }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    times.push(performance.now() - due);
  };
  const start = performance.now();
  const failures: unknown[] = [];
  const asked: Promise<unknown>[] = [];
  while (asked.length < perSecond * seconds) {
    const due = Math.floor(((performance.now() - start) * perSecond) / 1_000);
    for (let index = asked.length; index <= due && index < perSecond * seconds; index += 1) {
      asked.push(
        ask(start + (index * 1_000) / perSecond, index).catch((error: unknown) => failures.push(error)),
      );
    }
    await wait(1);
  }
  await Promise.all(asked);
  for (const { agent } of agents) agent.destroy();
  if (failures.length)
    throw new Error(`${failures.length} of ${asked.length} requests failed`, { cause: failures[0] });
  return p99(times);
}
