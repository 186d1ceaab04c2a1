import type { InternalService } from '@covalence/contract/internal/callers';
import type { Peer } from '@covalence/http/peer';
import { dataFolder } from '@covalence/stack/checkout';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { createStackPeer } from '@covalence/stack/services/credentials';
import { newInstance } from '@covalence/stack/services/instance';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { innerUrl, serviceEnvironment } from '@covalence/stack/services/service-environment';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStack } from '@covalence/stack/stack';
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
  /** Calls a part as another part. */
  peerOf<Service extends InternalService>(name: Service): Peer<Service>;
  /** Environment of a part, for its tools. */
  environmentOf(name: ServiceName): Record<string, string | undefined>;
  readonly namespace: string;
  /** Addresses of the engines by name. */
  readonly engines: Readonly<Record<string, string>>;
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
const redirectUri = 'https://app.example/callback';

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

const registeredAtOnce = 4;

async function start(members: number, others: readonly ServiceName[]): Promise<System> {
  const instance = newInstance('bench');
  const data = dataFolder(join(runFolder('bench').path, instance.namespace));
  const ports = await servicePorts();
  const publicUrl = innerUrl(ports, 'auth');
  const around = { ...process.env, LOG_LEVEL: 'warn', ...unlimited };
  const stack = await startStack({
    data,
    instance,
    ports,
    publicUrl,
    around,
    services: ['auth', 'profile', ...others],
    progress: () => {},
    stopped: new AbortController().signal,
  });
  const urls = { auth: innerUrl(ports, 'auth'), profile: innerUrl(ports, 'profile') };
  const peerOf = <Service extends InternalService>(name: Service) =>
    createStackPeer({ instance, url: innerUrl(ports, name), to: name });
  const input = { name: 'Bench', redirect_uris: [redirectUri], staff: false };
  const client = await peerOf('auth').createClient(input);
  const registered: BenchMember[] = [];
  while (registered.length < members) {
    const next = Array.from({ length: Math.min(registeredAtOnce, members - registered.length) });
    const numbers = next.map((_one, index) => registered.length + 1 + index);
    registered.push(...(await Promise.all(numbers.map((number) => register(urls, client, number)))));
  }
  const engines = Object.fromEntries([...stack.engines.values()].map(({ name, url }) => [name, url]));
  const folders = { photoDir: data.photos, mailDir: data.mails };
  return {
    url: urls.auth,
    peerOf,
    environmentOf: (name) =>
      serviceEnvironment(name, { instance, engines, ports, publicUrl, around, ...folders }),
    namespace: instance.namespace,
    engines,
    mongodb: engines['mongodb'] ?? '',
    profileDatabase: `${instance.namespace}-profile`,
    urlOf: (name) => innerUrl(ports, name),
    metricsUrl: `http://127.0.0.1:${ports.auth.managementPort}/metrics`,
    client,
    redirectUri,
    members: registered,
    stop: () => stack.stop(),
  };
}

/** What all the benchmarks together ask for. */
const forAll = { members: 32, others: ['updates', 'search', 'gateway'] } as const;
let shared: Promise<System> | undefined;

const startShared = () => (shared ??= start(forAll.members, forAll.others));

/**
 * Starts auth, profile and what else is asked for with their engines (those of the environment, if it names some) and
 * registers members. In a short run it is the same system for every benchmark, until `stopShared`.
 */
export async function startSystem(members: number, others: readonly ServiceName[] = []): Promise<System> {
  if (!effort.isShared) return start(members, others);
  const system = await startShared();
  return { ...system, members: system.members.slice(0, members), stop: () => Promise.resolve() };
}

/** In a short run, begins to start that system while something else is measured; who asks for it hears what went wrong. */
export function prepareShared(): void {
  if (effort.isShared) startShared().catch(() => undefined);
}

/** Ends the system that benchmarks shared, where they did. */
export async function stopShared(): Promise<void> {
  await (await shared)?.stop();
}
