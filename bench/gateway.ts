import { effort } from './effort.ts';
import { openIdleClients } from './idle-clients.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { pacedP99 } from './paced-load.ts';
import { startProxies, wholeSeconds as seconds, type Proxies } from './proxies.ts';
import { loadWithWrk } from './wrk-load.ts';

const { rounds, warmRounds, idleClients } = effort;
const pace = 1_000;
/** Requests a second of one address: more than its part of the steady load, far less than a flood. */
const perAddress = 500;
const unlimited = 100_000_000;
const others = Array.from({ length: 10 }, (_one, index) => `127.0.2.${1 + index}`);

/** Rounds of a flood, twice as many as of other things: a p99 of 5 s is what its worst 50 ms were, and those vary most. */
const floods = 2 * rounds;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Requests a second of each way, in turns, so that a busy moment of the machine meets all of them. */
async function throughput({ addresses, tokens, wrk }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(1);
  const ways = {
    nginx: { url: `${addresses.nginx}/users/self` },
    bare: { url: `${addresses.bare}/users/self` },
    plain: { url: `${addresses.gateway}/email/abc` },
    token: { url: `${addresses.gateway}/users/self`, authorization },
  };
  const rates = { nginx: [], bare: [], plain: [], token: [] } as Record<keyof typeof ways, number[]>;
  for (let round = -warmRounds; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways) as [keyof typeof ways, (typeof ways)['token']][]) {
      const rate = await loadWithWrk({ wrk, seconds: round < 0 ? 1 : seconds, ...way });
      if (round >= 0) rates[name].push(rate);
    }
  }
  const [nginx, bare, plain, token] = [rates.nginx, rates.bare, rates.plain, rates.token].map(median) as [
    number,
    number,
    number,
    number,
  ];
  return [
    measurement('requests with a token, × bare middleware', '1/s', token, bare, 'ratio at least 0.9'),
    measurement('requests with a token, × nginx', '1/s', token, nginx, 'ratio at least 0.5'),
    measurement('requests with a warm token, × without', '1/s', token, plain, 'ratio at least 0.9'),
    measurement('bare middleware, × nginx', '1/s', bare, nginx, 'no goal'),
  ];
}

/** What clients wait at a steady pace, beside nginx at the same pace. */
async function waiting({ addresses, tokens }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(2);
  const steady = { perSecond: pace, seconds, from: others };
  const own: number[] = [];
  const nginx: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    nginx.push(await pacedP99({ ...steady, url: `${addresses.nginx}/users/self` }));
    own.push(await pacedP99({ ...steady, url: `${addresses.gateway}/users/self`, authorization }));
  }
  return [
    measurement(`p99 at ${pace} requests/s, × nginx`, 'ms', median(own), median(nginx), 'ratio at most 2'),
  ];
}

/** What the others wait while one address sends all it can, and while 10,000 clients idle; in turns with nobody beside. */
async function beside({ addresses, tokens, wrk }: Proxies): Promise<Measurement[]> {
  const authorization = await tokens.authorization(3);
  const url = `${addresses.gateway}/users/self`;
  const steady = { url, authorization, perSecond: pace, seconds, from: others };
  // As long as a window, and one after the other with a whole window between: each has the rush in which its limit is used up.
  const flooded = async (pipelined: boolean) => {
    const target = `${addresses.gateway}/jwks`;
    const load = { wrk, url: target, seconds: seconds + 1, refusals: true, pipelined };
    const flood = loadWithWrk(load);
    const waited = await pacedP99(steady);
    await flood;
    return waited;
  };
  const [alone, withFlood]: [number[], number[]] = [[], []];
  for (let round = -warmRounds; round < floods; round += 1) {
    const before = await pacedP99(steady);
    const meanwhile = await flooded(false);
    if (round < 0) continue;
    alone.push(before);
    withFlood.push(meanwhile);
  }
  const calm = await pacedP99(steady);
  const withPipelined = await flooded(true);
  // Last: 10,000 clients that leave at once keep a process busy for a fifth of a second.
  const idle = await openIdleClients(addresses.gateway, idleClients);
  // What their coming leaves behind is not what idling costs.
  await pacedP99(steady);
  const withIdle: number[] = [];
  for (let round = 0; round < rounds; round += 1) withIdle.push(await pacedP99(steady));
  idle.end();
  const most = 'ratio at most 2';
  const usual = median([...alone, calm]);
  return [
    measurement(`p99 beside ${idleClients} idle clients, × alone`, 'ms', median(withIdle), usual, most),
    measurement('p99 beside a flood from one address, × alone', 'ms', median(withFlood), usual, most),
    measurement('p99 beside one that awaits no answers, × alone', 'ms', withPipelined, usual, 'no goal'),
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
