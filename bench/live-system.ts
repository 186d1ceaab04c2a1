import { dataFolder, type DataFolder } from '@covalence/stack/checkout';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { publicKeysOf } from '@covalence/stack/services/credentials';
import { newServiceSecrets } from '@covalence/stack/services/instance';
import { startService } from '@covalence/stack/services/service-process';
import { listenLocally } from '@covalence/testing/listen-locally';
import { metric } from '@covalence/testing/metric';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { benchTokens } from './bench-tokens.ts';
import { engineUrl } from './engines.ts';

/** The live-updates service as one process or several, with what it needs. */
export interface LiveSystem {
  /** Of each process. */
  readonly urls: readonly string[];
  readonly redisUrl: string;
  readonly rabbitUrl: string;
  readonly namespace: string;
  /** An access token of a member. */
  token(member: number): Promise<string>;
  /** Resident memory of all processes in bytes. */
  memory(): number;
  /** Processor time of all processes so far, in ms. */
  processorTime(): Promise<number>;
  /** The longest delay of an event loop in ms since it was last asked. */
  longestDelay(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * As it is deployed (k8s/base/updates.yaml): little room for young objects, and half of the memory limit for the heap. V8 lets garbage
 * gather by how large a heap may become, which without a limit is a share of the whole machine. For the bare server too.
 */
export const nodeOptions = ['--max-semi-space-size=4', '--max-old-space-size=512'];

const address = 'http://api.test';
const never = new AbortController().signal;

/** Resident memory of a process in bytes. */
function memoryOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Stands in for auth and profile: members whose presence is shown, to nobody who is connected. */
async function answerRecipients(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { ids = [] } = (await json(request)) as { ids?: number[] };
  const members = ids.map((id) => ({ id, shown: true, recipients: [] }));
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ members }));
}

/** One process of the service, ready. */
async function startProcess({ services, logs }: DataFolder, environment: Record<string, string>) {
  const { port, managementPort } = await choosePorts(['port', 'managementPort'], {});
  const service = await startService(
    {
      name: 'updates',
      environment: { ...environment, PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
      folder: join(services, String(port)),
      logDir: logs,
      url: `http://127.0.0.1:${port}`,
      managementPort,
    },
    never,
  );
  const inMs = async (name: string) =>
    (await metric(`http://127.0.0.1:${managementPort}/metrics`, name)) * 1_000;
  return {
    url: `ws://127.0.0.1:${port}/ws/updates`,
    memory: () => memoryOf(service.pid),
    longestDelay: () => inMs('nodejs_eventloop_lag_max_seconds'),
    processorTime: () => inMs('process_cpu_seconds_total'),
    stop: () => service.stop(),
  };
}

/** Starts the service, which trusts tokens that are made here; `sockets` may be open at once, also of one member. */
export async function startLiveSystem(sockets: number, processes: number): Promise<LiveSystem> {
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  const serviceSecrets = newServiceSecrets();
  const tokens = await benchTokens(address);
  const others = createServer((request, response) => {
    if (request.url === '/jwks') response.end(tokens.jwks);
    else void answerRecipients(request, response);
  });
  const othersUrl = `http://127.0.0.1:${await listenLocally(others)}`;
  const [redisUrl, rabbitUrl] = [engineUrl('redis'), engineUrl('rabbitmq')];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    NODE_OPTIONS: nodeOptions.join(' '),
    LOG_LEVEL: 'warn',
    NAMESPACE: namespace,
    PUBLIC_URL: address,
    AUTH_URL: othersUrl,
    PROFILE_URL: othersUrl,
    SERVICE_SECRET: serviceSecrets.updates,
    SERVICE_PUBLIC_KEYS: publicKeysOf(serviceSecrets),
    REDIS_URL: redisUrl,
    RABBITMQ_URL: rabbitUrl,
    SOCKETS_PER_PROCESS: String(sockets),
    SOCKETS_PER_MEMBER: String(sockets),
    SOCKETS_PER_ADDRESS: String(sockets),
  };
  const data = dataFolder(join(runFolder('bench').path, namespace));
  const started = await Promise.all(Array.from({ length: processes }, () => startProcess(data, environment)));
  return {
    urls: started.map(({ url }) => url),
    redisUrl,
    rabbitUrl,
    namespace,
    token: (member) => tokens.token(member),
    memory: () => started.reduce((sum, one) => sum + one.memory(), 0),
    longestDelay: async () => Math.max(...(await Promise.all(started.map((one) => one.longestDelay())))),
    async processorTime() {
      const times = await Promise.all(started.map((one) => one.processorTime()));
      return times.reduce((sum, time) => sum + time, 0);
    },
    async stop() {
      await Promise.all(started.map((one) => one.stop()));
      others.close();
      others.closeAllConnections();
    },
  };
}
