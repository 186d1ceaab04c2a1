import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from './effort.ts';
import { bareHashing, logins } from './login-load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import type { Pace } from './pace.ts';
import { loadRefreshes, type RefreshTarget } from './refresh-load.ts';
import { startSystem, type System } from './system.ts';

/** Refresh chains at once: 16 full speed, 2 as "other requests" beside logins. */
const chains = 16;
const { seconds, rounds } = effort;
const loginsAtOnce = 20;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Runs `work` beside a bare oidc-provider, which gives new families whenever it is asked. */
async function withBareProvider<Result>(
  work: (families: () => Promise<RefreshTarget>) => Promise<Result>,
): Promise<Result> {
  const child = fork(new URL('bare-provider.ts', import.meta.url), [String(chains)], { silent: true });
  try {
    return await work(async () => {
      const answer = once(child, 'message');
      child.send('families');
      const [target] = (await answer) as [RefreshTarget];
      return target;
    });
  } finally {
    child.disconnect();
  }
}

const targetOf = ({ url, client, members }: System): RefreshTarget => ({
  url: `${url}/token`,
  client: { client_id: client.client_id, client_secret: client.client_secret },
  tokens: members.map((member) => member.refreshToken),
});

const rate = (list: readonly Pace[]) => median(list.map((one) => one.perSecond));
const slowest = (list: readonly Pace[]) => median(list.map((one) => one.p99));

async function refreshes(target: RefreshTarget): Promise<Measurement[]> {
  return withBareProvider(async (bare) => {
    await loadRefreshes(await bare(), 2);
    await loadRefreshes(target, 2);
    const reference: Pace[] = [];
    const own: Pace[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await loadRefreshes(await bare(), seconds));
      own.push(await loadRefreshes(target, seconds));
    }
    return [
      measurement(
        'token refreshes, × bare oidc-provider',
        '1/s',
        rate(own),
        rate(reference),
        'ratio at least 0.8',
      ),
      measurement(
        'p99 of a refresh, × bare oidc-provider',
        'ms',
        slowest(own),
        slowest(reference),
        'no goal',
      ),
    ];
  });
}

/** The event loop's p99 delay in ms since it was last asked. */
async function loopDelay({ metricsUrl }: System): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(text)?.[1]) * 1_000;
}

/** Token refreshes of few connections, alone and while 20 people sign in at once. */
async function beside(system: System, target: RefreshTarget): Promise<Measurement[]> {
  const few = { ...target, tokens: target.tokens.slice(0, 2) };
  await loopDelay(system);
  const idle = await loadRefreshes(few, seconds);
  const idleDelay = await loopDelay(system);
  const signingIn = logins(system, seconds + 1, loginsAtOnce);
  await wait(500);
  const busy = await loadRefreshes(few, seconds);
  await signingIn;
  const busyDelay = await loopDelay(system);
  return [
    measurement('p99 of refreshes while 20 log in, × idle', 'ms', busy.p99, idle.p99, 'ratio at most 2'),
    measurement('event loop p99 while 20 log in, × idle', 'ms', busyDelay, idleDelay, 'at most 10 ms'),
  ];
}

/** Measures the auth service: one process, beside everything it needs, against references of the same run. */
export async function benchAuth(): Promise<readonly Measurement[]> {
  say('auth: starting the service …');
  const system = await startSystem(chains);
  try {
    const target = targetOf(system);
    say('auth: refreshes …');
    const ofRefreshes = await refreshes(target);
    say('auth: logins …');
    const bare = await bareHashing(seconds);
    await logins(system, 1, 8);
    const rate = await logins(system, seconds, 8);
    say('auth: other requests beside logins …');
    return [
      ...ofRefreshes,
      measurement('logins, × bare argon2', '1/s', rate, bare, 'ratio at least 0.9'),
      ...(await beside(system, target)),
    ];
  } finally {
    await system.stop();
  }
}
