import type { InternalService } from '@covalence/contract/peers/callers';
import type { StaffRole } from '@covalence/contract/staff-roles';
import { dataFolder } from '@covalence/stack/checkout';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { createStackPeer } from '@covalence/stack/services/credentials';
import { newInstance } from '@covalence/stack/services/instance';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { innerUrl, serviceEnvironment } from '@covalence/stack/services/service-environment';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStack } from '@covalence/stack/services/stack';
import { createConnection } from 'mongoose';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isQuick } from './effort.ts';
import { engineUrl } from './engines.ts';

/** A member that the benchmark registered. */
export interface BenchMember {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly refreshToken: string;
  readonly accessToken: string;
}

/** Running services with registered members. */
export type System = Awaited<ReturnType<typeof start>>;

/** The credentials of the client application. */
type Client = Readonly<Record<'client_id' | 'client_secret', string>>;

/** Redirect URI of the client application. */
export const redirectUri = 'https://app.example/callback';

/** Sends a request; rejects when the answer is not 2xx. */
export async function send(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}

/** The Authorization header of a member, or of staff. */
export const bearer = ({ accessToken }: Pick<BenchMember, 'accessToken'>) => ({
  Authorization: `Bearer ${accessToken}`,
});

/** POSTs JSON through the gateway as a member, or as staff. */
export const post = (
  { urlOf }: Pick<System, 'urlOf'>,
  path: string,
  caller: Pick<BenchMember, 'accessToken'>,
  body: object,
): Promise<string> =>
  send(`${urlOf('gateway')}${path}`, {
    method: 'POST',
    headers: { ...bearer(caller), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Parameters of POST /members: odd numbers are women who look for men, even ones men who look for women. */
export function registrationOf(client: Client, number: number): Record<string, string> {
  const username = `bench${number}`;
  const [gender = '', genderpreference = ''] = number % 2 ? ['Female', 'Male'] : ['Male', 'Female'];
  return {
    ...client,
    siteid: '1',
    gender,
    genderpreference,
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

/** POSTs a form and parses the answer. */
async function postForm(url: string, form: Record<string, string>): Promise<Record<string, unknown>> {
  const text = await send(url, { method: 'POST', body: new URLSearchParams(form) });
  return JSON.parse(text) as Record<string, unknown>;
}

/** Registers a member and exchanges the code, at the services or through the gateway. */
export async function register(
  urls: { readonly profile: string; readonly auth: string },
  client: Client,
  number: number,
  redirect_uri = redirectUri,
): Promise<BenchMember> {
  const registration = registrationOf(client, number);
  const { username = '', password = '' } = registration;
  const { code, id } = await postForm(`${urls.profile}/members`, registration);
  const grant = { grant_type: 'authorization_code', code: String(code), redirect_uri };
  const pair = await postForm(`${urls.auth}/token`, { ...client, ...grant });
  return {
    id: Number(id),
    username,
    password,
    refreshToken: String(pair['refresh_token']),
    accessToken: String(pair['access_token']),
  };
}

const unlimited = { RATE_PER_ADDRESS: '1000000000', RATE_PER_MEMBER: '1000000000' };

const registeredAtOnce = 4;

/** The shipped relevance settings, and a feed on every site. */
function relevanceWithFeed(): string {
  const shipped = readFileSync(
    new URL('../services/search/settings/relevance.json', import.meta.url),
    'utf8',
  );
  const file = join(runFolder('bench').path, 'relevance.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(shipped) as object), discover: true }));
  return file;
}

async function start(members: number, others: readonly ServiceName[]) {
  const instance = newInstance('bench');
  const data = dataFolder(join(runFolder('bench').path, instance.namespace));
  const ports = await servicePorts();
  const publicUrl = innerUrl(ports, 'auth');
  const RELEVANCE_FILE = relevanceWithFeed();
  const environment = { ...process.env, LOG_LEVEL: 'warn', RELEVANCE_FILE, ...unlimited };
  const stack = await startStack({
    data,
    instance,
    ports,
    publicUrl,
    environment,
    services: ['auth', 'profile', ...others],
    progress: () => {},
    stopped: new AbortController().signal,
  });
  const urls = { auth: innerUrl(ports, 'auth'), profile: innerUrl(ports, 'profile') };
  /** A client of the internal endpoints of a service. */
  const peerOf = <Service extends InternalService>(name: Service) =>
    createStackPeer({ instance, url: innerUrl(ports, name), to: name });
  const input = { name: 'Bench', redirect_uris: [redirectUri], staff: false };
  const { client_id, client_secret = '' } = await peerOf('auth').createClient(input);
  const client = { client_id, client_secret };
  const registered: BenchMember[] = [];
  while (registered.length < members) {
    const next = Array.from({ length: Math.min(registeredAtOnce, members - registered.length) });
    const numbers = next.map((_one, index) => registered.length + 1 + index);
    registered.push(...(await Promise.all(numbers.map((number) => register(urls, client, number)))));
  }
  const engines = Object.fromEntries([...stack.engines.values()].map(({ name, url }) => [name, url]));
  const folders = { photoDir: data.photos, mailDir: data.mails };
  const connection = await createConnection(engineUrl('mongodb')).asPromise();
  return {
    urlOf: (name: ServiceName) => innerUrl(ports, name),
    peerOf,
    /** The environment of a service, for its commands. */
    environmentOf: (name: ServiceName) =>
      serviceEnvironment(name, { instance, engines, ports, publicUrl, environment, ...folders }),
    /** The processes of the services by name; each leads its group. */
    processes: () => new Map([...stack.services.values()].map(({ name, pid = 0 }) => [name, pid])),
    /** A connection to MongoDB, and in it the database of a service. */
    connection,
    databaseOf: (name: ServiceName) => connection.getClient().db(`${instance.namespace}-${name}`),
    namespace: instance.namespace,
    client,
    members: registered,
    async stop() {
      await connection.close();
      await stack.stop();
    },
  };
}

/** Creates a staff account with a role on every site, and resolves with an access token of it. */
export async function createStaff(
  { peerOf }: Pick<System, 'peerOf'>,
  username: string,
  role: StaffRole,
): Promise<string> {
  const auth = peerOf('auth');
  await auth.createStaff({
    username,
    password: 'violet-harbour-staff',
    initial: false,
    roles: { '*': [role] },
  });
  return (await auth.issueStaffToken({ username })).access_token;
}

let shared: Promise<System> | undefined;

/** Everything that any benchmark needs. */
const startShared = () => (shared ??= start(32, ['updates', 'search', 'gateway']));

/** Starts auth, profile and the other services, and registers members. A short run shares one system until `stopShared`. */
export async function startSystem(members: number, others: readonly ServiceName[] = []): Promise<System> {
  if (!isQuick) return start(members, others);
  const system = await startShared();
  return { ...system, members: system.members.slice(0, members), stop: () => Promise.resolve() };
}

/** Starts the shared system of a short run in the background; `startSystem` reports its errors. */
export function prepareShared(): void {
  if (isQuick) startShared().catch(() => undefined);
}

/** Stops the shared system, if there is one. */
export async function stopShared(): Promise<void> {
  await (await shared)?.stop();
}
