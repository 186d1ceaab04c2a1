import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { cannonade, inTurns, rate, slowest, type Pace } from './load.ts';
import { bareHashing, signIns, withPasskeys } from './login-load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { startSystem, type System } from './system.ts';

const { seconds, warmUp, chains } = effort;
/** Refresh chains beside sign-ins. */
const otherChains = 2;
/** Parallel sign-ins: for the rate, and beside the chains. */
const browsers = 8;
const signInsAtOnce = 20;

/** A token endpoint, and a refresh token for each chain. */
interface RefreshTarget {
  readonly url: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Updated with each refresh, so that the next round continues. */
  readonly tokens: string[];
}

/** Refreshes for some seconds with a connection per chain, each with the token of its previous answer. */
async function refresh({ url, client, tokens }: RefreshTarget, duration: number): Promise<Pace> {
  let next = 0;
  return cannonade({
    url,
    connections: tokens.length,
    duration,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    setupClient(connection) {
      const own = next;
      next += 1;
      const send = () => {
        const form = { ...client, grant_type: 'refresh_token', refresh_token: tokens[own] ?? '' };
        connection.setBody(new URLSearchParams(form).toString());
      };
      send();
      connection.on('body', (body: Buffer) => {
        const { refresh_token } = JSON.parse(body.toString()) as { refresh_token?: string };
        if (refresh_token === undefined) throw new Error(`no new token from ${url}: ${body.toString()}`);
        tokens[own] = refresh_token;
        send();
      });
    },
  });
}

/** Refreshes at the auth service and at a bare oidc-provider. */
async function refreshes(target: RefreshTarget): Promise<Measurement[]> {
  const child = fork(new URL('bare-provider.ts', import.meta.url), [String(chains)], { silent: true });
  try {
    const bareTarget = async () => (await ask(child, 'families')) as RefreshTarget;
    if (warmUp) {
      await refresh(await bareTarget(), warmUp);
      await refresh(target, warmUp);
    }
    const { own, reference } = await inTurns(
      async () => refresh(await bareTarget(), seconds),
      () => refresh(target, seconds),
    );
    const bare = '× bare oidc-provider';
    return [
      measurement(`token refreshes, ${bare}`, '1/s', rate(own), rate(reference), 'ratio at least 0.8'),
      measurement(`p99 of a refresh, ${bare}`, 'ms', slowest(own), slowest(reference)),
    ];
  } finally {
    child.kill();
  }
}

async function signInRate(system: System): Promise<Measurement> {
  await signIns(system, warmUp, browsers);
  const { own, reference } = await inTurns(
    () => bareHashing(seconds),
    () => signIns(system, seconds, browsers),
  );
  return measurement('logins, × bare argon2', '1/s', median(own), median(reference), 'ratio at least 0.9');
}

/** Sign-ins by passkey and by password. */
async function passkeyRate(system: System): Promise<Measurement> {
  const passkeys = await withPasskeys(system, browsers);
  await signIns(system, warmUp, browsers, passkeys);
  const { own, reference } = await inTurns(
    () => signIns(system, seconds, browsers),
    () => signIns(system, seconds, browsers, passkeys),
  );
  return measurement(
    'logins by passkey, × by password',
    '1/s',
    median(own),
    median(reference),
    'ratio at least 1.3',
  );
}

/** Refreshes by a few connections, alone and while members sign in. */
async function besideSignIns(system: System, target: RefreshTarget): Promise<Measurement> {
  const { own, reference } = await inTurns(
    () => refresh(target, seconds),
    async () => {
      const signingIn = signIns(system, seconds + 1, signInsAtOnce);
      await wait(500);
      const load = await refresh(target, seconds);
      await signingIn;
      return load;
    },
  );
  const what = `p99 of refreshes while ${signInsAtOnce} log in, × idle`;
  return measurement(what, 'ms', slowest(own), slowest(reference), 'ratio at most 2');
}

/** Measures one process of the auth service. */
export async function benchAuth(): Promise<readonly Measurement[]> {
  say('auth: starting the service …');
  const system = await startSystem(chains + otherChains);
  try {
    const { client_id, client_secret } = system.client;
    const target = { url: `${system.urlOf('auth')}/token`, client: { client_id, client_secret } };
    const tokens = system.members.map((member) => member.refreshToken);
    say('auth: refreshes …');
    const ofRefreshes = await refreshes({ ...target, tokens: tokens.slice(0, chains) });
    say('auth: sign-ins …');
    const ofSignIns = await signInRate(system);
    say('auth: sign-ins by passkey …');
    const ofPasskeys = await passkeyRate(system);
    say('auth: refreshes beside sign-ins …');
    // Chains that no round has ended: the last answer of a round is lost, and a minute later its token counts as stolen.
    const others = { ...target, tokens: tokens.slice(chains) };
    return [...ofRefreshes, ofSignIns, ofPasskeys, await besideSignIns(system, others)];
  } finally {
    await system.stop();
  }
}
