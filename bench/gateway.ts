import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { inTurns, pacedTimes } from './load.ts';
import { measurement, median, p99, type Goal, type Measurement } from './measurement.ts';
import { otherCore, startProxies, wholeSeconds, type Proxies } from './proxies.ts';

const { seconds, rounds, warmRounds, floods } = effort;
const perSecond = 1_000;
/** Limit per address and second: above its share of the paced load, far below a flood. */
const perAddress = 500;
const unlimited = 100_000_000;
const path = '/users/self';

/** Runs wrk with 64 connections; resolves with its output. */
async function wrk(
  { wrk: command }: Proxies,
  url: string,
  duration: number,
  options: { readonly authorization?: string; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const { authorization, signal } = options;
  const headers = authorization === undefined ? [] : ['-H', `Authorization: ${authorization}`];
  const args = ['-c', otherCore, command, '-t1', '-c64', `-d${duration}s`, ...headers, url];
  return (await promisify(execFile)('taskset', args, { signal })).stdout;
}

/** Requests per second; rejects when an answer is not 2xx. */
async function rateOf(
  proxies: Proxies,
  url: string,
  duration: number,
  authorization?: string,
): Promise<number> {
  const output = await wrk(proxies, url, duration, authorization === undefined ? {} : { authorization });
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  if (refused !== undefined) throw new Error(`${url}: ${refused} answers were not 2xx`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** Requests per second of each proxy, in turns. */
async function throughput(proxies: Proxies): Promise<Measurement[]> {
  const { addresses } = proxies;
  const rates = { nginx: [] as number[], bare: [] as number[], gateway: [] as number[] };
  const names = ['nginx', 'bare', 'gateway'] as const;
  for (let round = -warmRounds; round < rounds; round += 1) {
    for (const name of names) {
      const token = name === 'gateway' ? proxies.authorization : undefined;
      const rate = await rateOf(proxies, addresses[name] + path, round < 0 ? 1 : wholeSeconds, token);
      if (round >= 0) rates[name].push(rate);
    }
  }
  const row = (what: string, one: keyof typeof rates, reference: keyof typeof rates, goal: Goal) =>
    measurement(what, '1/s', median(rates[one]), median(rates[reference]), goal);
  return [
    row('requests with a token, × bare middleware', 'gateway', 'bare', 'ratio at least 0.9'),
    row('requests with a token, × nginx', 'gateway', 'nginx', 'ratio at least 0.5'),
    row('bare middleware, × nginx', 'bare', 'nginx', 'no goal'),
  ];
}

/** Latencies in ms of requests at a fixed rate from ten local addresses. */
async function pacedLoad(url: string, authorization?: string, rate = perSecond): Promise<number[]> {
  const agents = Array.from({ length: 10 }, (_one, index) => ({
    localAddress: `127.0.2.${1 + index}`,
    agent: new Agent({ keepAlive: true }),
  }));
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  try {
    return await pacedTimes(rate, seconds, async (index) => {
      const sent = request(url, { ...agents[index % agents.length], headers }).end();
      const [answer] = await once(sent, 'response');
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    });
  } finally {
    for (const { agent } of agents) agent.destroy();
  }
}

/** Latency at a fixed rate. */
async function latency({ addresses, authorization }: Proxies): Promise<Measurement> {
  const { own, reference } = await inTurns(
    () => pacedLoad(addresses.nginx + path),
    () => pacedLoad(addresses.gateway + path, authorization),
  );
  const what = `p99 at ${perSecond} requests/s, × nginx`;
  return measurement(what, 'ms', p99(own.flat()), p99(reference.flat()), 'ratio at most 2');
}

/** Latency at a fixed rate while one address sends as much as it can. */
async function besideFlood(proxies: Proxies): Promise<Measurement> {
  const { addresses, authorization } = proxies;
  const steady = () => pacedLoad(addresses.gateway + path, authorization);
  const flooded = async () => {
    const over = new AbortController();
    // Twice as long as the paced load, so that a whole rate window lies between two floods.
    const flood = wrk(proxies, `${addresses.gateway}/jwks`, 2 * wholeSeconds, { signal: over.signal }).then(
      () => Promise.reject(new Error('the flood ended before the measured load')),
      (error: unknown) => {
        if (!over.signal.aborted) throw error;
      },
    );
    const times = await steady();
    over.abort();
    await flood;
    return times;
  };
  if (warmRounds) {
    // The JIT compiler slows down the first ten thousand requests.
    await pacedLoad(addresses.gateway + path, authorization, 3 * perSecond);
    await inTurns(steady, flooded, warmRounds);
  }
  const { own, reference } = await inTurns(steady, flooded, floods);
  const what = 'p99 beside a flood from one address, × alone';
  return measurement(what, 'ms', p99(own.flat()), p99(reference.flat()), 'ratio at most 2');
}

async function withProxies<Result>(
  limit: number,
  work: (proxies: Proxies) => Promise<Result>,
): Promise<Result> {
  const proxies = await startProxies(limit);
  try {
    return await work(proxies);
  } finally {
    await proxies.stop();
  }
}

/** Measures the gateway beside nginx and its bare middleware, each on one core. */
export async function benchGateway(): Promise<readonly Measurement[]> {
  const open = await withProxies(unlimited, async (proxies) => {
    say('gateway: requests per second …');
    const rates = await throughput(proxies);
    say('gateway: latency …');
    return [...rates, await latency(proxies)];
  });
  say('gateway: a flood …');
  return [...open, await withProxies(perAddress, besideFlood)];
}
