import { effort } from './effort.ts';
import { openIdleClients } from './idle-clients.ts';
import { measurement, median, p99, type Goal, type Measurement } from './measurement.ts';
import { pacedLoad, type PacedLoad } from './paced-load.ts';
import { startProxies, wholeSeconds, type Proxies } from './proxies.ts';
import { say } from './say.ts';
import { loadWithWrk, startFlood } from './wrk-load.ts';

const { seconds, rounds, warmRounds, floods, idleClients } = effort;
const pace = 1_000;
/** Requests a second of one address: more than its part of the steady load, far less than a flood. */
const perAddress = 500;
const unlimited = 100_000_000;
const others = Array.from({ length: 10 }, (_one, index) => `127.0.2.${1 + index}`);

/** Requests a second of each way, in turns, so that a busy moment of the machine meets all of them. */
async function throughput({ addresses, tokens, wrk }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(1);
  const ways = {
    nginx: { url: `${addresses.nginx}/users/self` },
    bare: { url: `${addresses.bare}/users/self` },
    bareWithToken: { url: `${addresses.bare}/users/self`, authorization },
    plain: { url: `${addresses.gateway}/email/abc` },
    token: { url: `${addresses.gateway}/users/self`, authorization },
  };
  const rates = { nginx: [], bare: [], bareWithToken: [], plain: [], token: [] } as Record<
    keyof typeof ways,
    number[]
  >;
  for (let round = -warmRounds; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways) as [keyof typeof ways, (typeof ways)['token']][]) {
      const rate = await loadWithWrk({ wrk, seconds: round < 0 ? 1 : wholeSeconds, ...way });
      if (round >= 0) rates[name].push(rate);
    }
  }
  const row = (what: string, one: keyof typeof ways, reference: keyof typeof ways, goal: Goal) =>
    measurement(what, '1/s', median(rates[one]), median(rates[reference]), goal);
  return [
    row('requests with a token, × bare middleware', 'token', 'bare', 'ratio at least 0.9'),
    row('requests with a token, × nginx', 'token', 'nginx', 'ratio at least 0.5'),
    row('requests with a warm token, × without', 'token', 'plain', 'ratio at least 0.9'),
    row('bare middleware with the same header, × without', 'bareWithToken', 'bare', 'no goal'),
    row('bare middleware, × nginx', 'bare', 'nginx', 'no goal'),
  ];
}

/** What clients wait at a steady pace, beside nginx at the same pace. */
async function waiting({ addresses, tokens }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(2);
  const steady = { perSecond: pace, seconds, from: others };
  const own: number[] = [];
  const nginx: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    nginx.push(...(await pacedLoad({ ...steady, url: `${addresses.nginx}/users/self` })));
    own.push(...(await pacedLoad({ ...steady, url: `${addresses.gateway}/users/self`, authorization })));
  }
  return [measurement(`p99 at ${pace} requests/s, × nginx`, 'ms', p99(own), p99(nginx), 'ratio at most 2')];
}

/** A steady load, and the times of it in ms, alone and while one address sends all it can, in turns. */
async function besideFlood(steady: PacedLoad, flood: () => { end(): Promise<void> }, count: number) {
  const [alone, meanwhile]: [number[], number[]] = [[], []];
  for (let round = 0; round < count; round += 1) {
    const before = await pacedLoad(steady);
    const under = flood();
    const beside = await pacedLoad(steady);
    await under.end();
    alone.push(...before);
    meanwhile.push(...beside);
  }
  return { alone: p99(alone), meanwhile: p99(meanwhile) };
}

/**
 * What the others wait while one address sends all it can, in turns with nobody beside; the same rounds alone are what idle
 * clients, who cannot come and go in turns, and a flood that awaits no answers are set against.
 */
async function beside({ addresses, tokens, wrk }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(3);
  const steadyAt = (address: string) => ({
    url: `${address}/users/self`,
    authorization,
    perSecond: pace,
    seconds,
    from: others,
  });
  // Longer than the steady load, which ends it; a whole window lies between two, so that each has the rush in which its limit is used up.
  const floodAt = (address: string, pipelined: boolean) => () =>
    startFlood({ wrk, url: `${address}/jwks`, seconds: 2 * wholeSeconds, pipelined });
  const steady = steadyAt(addresses.gateway);
  if (warmRounds) {
    // A process that compiles as it runs is slow for its first ten thousand requests, and then it is the flood that it is slow with.
    await pacedLoad({ ...steady, perSecond: 3 * pace });
    await besideFlood(steady, floodAt(addresses.gateway, false), warmRounds);
  }
  const flooded = await besideFlood(steady, floodAt(addresses.gateway, false), floods);
  const nginx = await besideFlood(steadyAt(addresses.limited), floodAt(addresses.limited, false), rounds);
  const pipelined = await besideFlood(steady, floodAt(addresses.gateway, true), 1);
  // Last: 10,000 clients that leave at once keep a process busy for a fifth of a second.
  const idle = await openIdleClients(addresses.gateway, idleClients);
  // What their coming leaves behind is not what idling costs.
  await pacedLoad(steady);
  const withIdle: number[] = [];
  for (let round = 0; round < rounds; round += 1) withIdle.push(...(await pacedLoad(steady)));
  idle.end();
  const usual = flooded.alone;
  const most = 'ratio at most 2';
  const row = (what: string, { alone, meanwhile }: typeof flooded, goal: Goal) =>
    measurement(`p99 beside ${what}, × alone`, 'ms', meanwhile, alone, goal);
  return [
    row(`${idleClients} idle clients`, { alone: usual, meanwhile: p99(withIdle) }, most),
    row('a flood from one address', flooded, most),
    row('such a flood, nginx with limit_req', nginx, 'no goal'),
    row('a flood that awaits no answers', { ...pipelined, alone: usual }, 'no goal'),
  ];
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

/** Measures the gateway, admission and counting included, beside nginx and the bare middleware, one core for each. */
export async function benchGateway(): Promise<readonly Measurement[]> {
  const open = await withProxies(unlimited, async (proxies) => {
    say('gateway: requests a second …');
    const rates = await throughput(proxies);
    say('gateway: waiting times …');
    return [...rates, ...(await waiting(proxies))];
  });
  say('gateway: idle clients, and a flood …');
  return [...open, ...(await withProxies(perAddress, beside))];
}
