import { metric } from '@covalence/testing/metric';
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { effort } from './effort.ts';
import { allButOneCore, bareHashing, logins } from './login-load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { rate, slowest, type Pace } from './pace.ts';
import { loadRefreshes, type RefreshTarget } from './refresh-load.ts';
import { say } from './say.ts';
import { startSystem, type System } from './system.ts';

const { seconds, rounds, warmUp, chains } = effort;
/** Chains that are the "other requests" beside logins. */
const otherChains = 2;
/** Browsers that sign in one after the other, and so many at once while others are measured. */
const browsers = 8;
const loginsAtOnce = 20;

/** A bare oidc-provider in a process of its own. */
interface BareProvider {
  /** Refresh tokens of new families. */
  families(): Promise<RefreshTarget>;
  /** Milliseconds of processor time that it has used. */
  cpu(): Promise<number>;
}

/** Runs `work` beside a bare oidc-provider. */
async function withBareProvider<Result>(work: (bare: BareProvider) => Promise<Result>): Promise<Result> {
  const child = fork(new URL('bare-provider.ts', import.meta.url), [String(chains)], { silent: true });
  try {
    return await work({
      families: async () => (await ask(child, 'families')) as RefreshTarget,
      cpu: async () => (await ask(child, 'cpu')) as number,
    });
  } finally {
    child.kill();
  }
}

const targetOf = ({ url, client, members }: System): RefreshTarget => ({
  url: `${url}/token`,
  client: { client_id: client.client_id, client_secret: client.client_secret },
  tokens: members.map((member) => member.refreshToken),
});

/** A load of refreshes, and the milliseconds of processor time of the server for each. */
interface Costed extends Pace {
  readonly cpuMs: number;
}

async function costed(target: RefreshTarget, cpu: () => Promise<number>): Promise<Costed> {
  const before = await cpu();
  const load = await loadRefreshes(target, seconds);
  return { ...load, cpuMs: ((await cpu()) - before) / (load.perSecond * seconds) };
}

const cost = (list: readonly Costed[]) => median(list.map((one) => one.cpuMs));

async function refreshes(system: System, target: RefreshTarget): Promise<Measurement[]> {
  const cpuOfAuth = async () => (await metric(system.metricsUrl, 'process_cpu_seconds_total')) * 1_000;
  return withBareProvider(async (bare) => {
    if (warmUp) {
      await loadRefreshes(await bare.families(), warmUp);
      await loadRefreshes(target, warmUp);
    }
    const reference: Costed[] = [];
    const own: Costed[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await costed(await bare.families(), () => bare.cpu()));
      own.push(await costed(target, cpuOfAuth));
    }
    const rates = [rate(own), rate(reference)] as const;
    const p99s = [slowest(own), slowest(reference)] as const;
    const costs = [cost(own), cost(reference)] as const;
    return [
      measurement('token refreshes, × bare oidc-provider', '1/s', ...rates, 'ratio at least 0.8'),
      measurement('p99 of a refresh, × bare oidc-provider', 'ms', ...p99s, 'no goal'),
      measurement('processor time of a refresh, × bare', 'ms', ...costs, 'no goal'),
    ];
  });
}

/** Whole sign-ins, and nothing but comparisons of passwords: one at a time, and one for each core. */
async function signIns(system: System): Promise<Measurement[]> {
  await logins(system, warmUp, browsers);
  const own: number[] = [];
  const bare: number[] = [];
  const everyCore: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareHashing(seconds, allButOneCore));
    everyCore.push(await bareHashing(seconds, availableParallelism()));
    own.push(await logins(system, seconds, browsers));
  }
  const [rate, most] = [median(own), median(everyCore)];
  return [
    measurement('logins, × bare argon2', '1/s', rate, median(bare), 'ratio at least 0.9'),
    measurement('logins, × bare argon2 on every core', '1/s', rate, most, 'no goal'),
  ];
}

/** The event loop's p99 delay in ms since it was last asked. */
const loopDelay = async (system: System): Promise<number> =>
  (await metric(system.metricsUrl, 'nodejs_eventloop_lag_p99_seconds')) * 1_000;

/** Token refreshes of few connections, alone and while 20 people sign in at once. */
async function beside(system: System, target: RefreshTarget): Promise<Measurement[]> {
  const few = { ...target, tokens: target.tokens.slice(0, otherChains) };
  const [idle, busy]: [Pace[], Pace[]] = [[], []];
  const [idleDelays, busyDelays]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await loopDelay(system);
    idle.push(await loadRefreshes(few, seconds));
    idleDelays.push(await loopDelay(system));
    const signingIn = logins(system, seconds + 1, loginsAtOnce);
    await wait(500);
    busy.push(await loadRefreshes(few, seconds));
    await signingIn;
    busyDelays.push(await loopDelay(system));
  }
  const p99s = [slowest(busy), slowest(idle)] as const;
  const delays = [median(busyDelays), median(idleDelays)] as const;
  return [
    measurement('p99 of refreshes while 20 log in, × idle', 'ms', ...p99s, 'ratio at most 2'),
    measurement('event loop p99 while 20 log in, × idle', 'ms', ...delays, 'at most 10 ms'),
  ];
}

/** Measures the auth service: one process, beside everything it needs, against references of the same run. */
export async function benchAuth(): Promise<readonly Measurement[]> {
  say('auth: starting the service …');
  const system = await startSystem(chains);
  try {
    const target = targetOf(system);
    say('auth: refreshes …');
    const ofRefreshes = await refreshes(system, target);
    say('auth: logins …');
    const ofLogins = await signIns(system);
    say('auth: other requests beside logins …');
    return [...ofRefreshes, ...ofLogins, ...(await beside(system, target))];
  } finally {
    await system.stop();
  }
}
