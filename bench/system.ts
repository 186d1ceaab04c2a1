import { createClient } from '@covalence/contract/internal/auth-api';
import { createPeer } from '@covalence/http/peer';
import { dataFolder, defaultData } from '@covalence/stack/checkout';
import { newInstance } from '@covalence/stack/services/instance';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { innerUrl } from '@covalence/stack/services/service-environment';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStack } from '@covalence/stack/stack';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { effort } from './effort.ts';

/** A member that the benchmark registered. */
export interface BenchMember {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly refreshToken: string;
  readonly accessToken: string;
}

/** The services of a benchmark and what they need, as processes, with members. */
export interface System {
  /** Address of the auth service. */
  readonly url: string;
  /** Where a part is called. */
  urlOf(name: ServiceName): string;
  /** Address of the database server, and the name of the profile service's database there. */
  readonly mongodb: string;
  readonly profileDatabase: string;
  /** Address of the auth service's metrics. */
  readonly metricsUrl: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly redirectUri: string;
  readonly members: readonly BenchMember[];
  stop(): Promise<void>;
}

/** Where the client application of a benchmark has its codes sent. */
export const redirectUri = 'https://app.example/callback';

async function post(url: string, form: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** What POST /members takes of a member of 1990 in Lincoln: a woman by an odd number, a man by an even one. */
export function registrationOf(client: System['client'], number: number): Record<string, string> {
  const username = `bench${number}`;
  const genders = number % 2 ? ['Female', 'Male'] : ['Male', 'Female'];
  return {
    ...client,
    siteid: '1',
    gender: genders[0] ?? '',
    genderpreference: genders[1] ?? '',
    dateofbirth: '04/23/1990',
    username,
    password: `violet-harbour-${number}`,
    email: `${username}@mail.example`,
    city: 'Lincoln',
    state: 'Nebraska',
    zip: '68502',
    country: 'US',
    latitude: '40.789',
    longitude: '-96.693',
  };
}

/** Registers a member and exchanges the code, at the services themselves or through the gateway. */
export async function register(
  urls: { readonly profile: string; readonly auth: string },
  client: System['client'],
  number: number,
): Promise<BenchMember> {
  const registration = registrationOf(client, number);
  const { username = '', password = '' } = registration;
  const { code, id } = await post(`${urls.profile}/members`, registration);
  const grant = { grant_type: 'authorization_code', code: String(code), redirect_uri: redirectUri };
  const pair = await post(`${urls.auth}/token`, { ...client, ...grant });
  const { refresh_token, access_token } = pair;
  const tokens = { refreshToken: String(refresh_token), accessToken: String(access_token) };
  return { id: Number(id), username, password, ...tokens };
}

/** No load of a benchmark is turned away. */
const unlimited = { RATE_PER_ADDRESS: '1000000000', RATE_PER_MEMBER: '1000000000' };

async function start(members: number, others: readonly ServiceName[]): Promise<System> {
  const instance = newInstance('bench');
  const data = dataFolder(join(defaultData, instance.namespace));
  const clear = () => rmSync(data.path, { recursive: true, force: true });
  const ports = await servicePorts();
  const stack = await startStack({
    data,
    instance,
    ports,
    publicUrl: innerUrl(ports, 'auth'),
    around: { ...process.env, LOG_LEVEL: 'warn', ...unlimited },
    services: ['auth', 'profile', ...others],
    progress: () => {},
    stopped: new AbortController().signal,
  });
  const urls = { auth: innerUrl(ports, 'auth'), profile: innerUrl(ports, 'profile') };
  const auth = createPeer({ url: urls.auth, secret: instance.serviceSecret });
  const input = { name: 'Bench', redirect_uris: [redirectUri], staff: false };
  const client = await auth.call('/internal/clients/create', input, createClient.output);
  const registered: BenchMember[] = [];
  for (let number = 1; number <= members; number += 1) registered.push(await register(urls, client, number));
  return {
    url: urls.auth,
    mongodb: stack.engines.get('mongodb')?.url ?? '',
    profileDatabase: `${instance.namespace}-profile`,
    urlOf: (name) => innerUrl(ports, name),
    metricsUrl: `http://127.0.0.1:${ports.auth.managementPort}/metrics`,
    client,
    redirectUri,
    members: registered,
    async stop() {
      await stack.stop();
      clear();
    },
  };
}

/** What all the benchmarks together ask for. */
const forAll = { members: 32, others: ['updates', 'gateway'] } as const;
let shared: Promise<System> | undefined;

/**
 * Starts auth, profile and what else is asked for with their engines (those of the environment, if it names some) and
 * registers members. In a short run it is the same system for every benchmark, until `stopShared`.
 */
export async function startSystem(members: number, others: readonly ServiceName[] = []): Promise<System> {
  if (!effort.isShared) return start(members, others);
  shared ??= start(forAll.members, forAll.others);
  const system = await shared;
  return { ...system, members: system.members.slice(0, members), stop: () => Promise.resolve() };
}

/** Ends the system that benchmarks shared, where they did. */
export async function stopShared(): Promise<void> {
  await (await shared)?.stop();
}
