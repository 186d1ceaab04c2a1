import { dataFolder, type DataFolder } from '@covalence/stack/checkout';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { publicKeysOf } from '@covalence/stack/services/credentials';
import { newServiceSecrets } from '@covalence/stack/services/instance';
import { startService } from '@covalence/stack/services/service-process';
import { listenLocally } from '@covalence/testing/listen-locally';
import { metric } from '@covalence/testing/metric';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { effort } from './effort.ts';
import { engineUrl } from './engines.ts';

/** The processes of the updates service, with a stand-in for the services that they call. */
export type LiveSystem = Awaited<ReturnType<typeof startLiveSystem>>;

/** As updates is deployed (k8s/base/updates.yaml): V8 would size its heap by the whole machine. For the reference too. */
export const nodeOptions = ['--max-semi-space-size=4', '--max-old-space-size=512'];

const address = 'http://api.test';

/** The address of the device that a member has. */
type EndpointOf = (member: number) => string;

const targetsOf = (ids: readonly number[], endpointOf: EndpointOf) =>
  ids.map((id) => {
    const device = { endpoint: endpointOf(id), types: ['like'], added_at: new Date().toISOString() };
    return { id, title: 'Heartland', locale: 'en_US', unread: 1, devices: [device], muted: [] };
  });

/** Answers for profile: members with a device, whose presence is visible, with no recipients. */
async function answerForProfile(
  request: IncomingMessage,
  response: ServerResponse,
  endpointOf: EndpointOf | undefined,
): Promise<void> {
  const { ids = [] } = (await json(request)) as { ids?: number[] };
  const isPush = request.url === '/internal/push/targets';
  const answer = isPush
    ? { targets: endpointOf ? targetsOf(ids, endpointOf) : [] }
    : { members: ids.map((id) => ({ id, shown: true, recipients: [] })) };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
}

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
    new AbortController().signal,
  );
  const metrics = `http://127.0.0.1:${managementPort}/metrics`;
  return {
    url: `ws://127.0.0.1:${port}/ws/updates`,
    memory: () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) * 1_024,
    processorTime: async () => (await metric(metrics, 'process_cpu_seconds_total')) * 1_000,
    async killAndRestart(): Promise<void> {
      service.kill('SIGKILL');
      await service.exited;
      await service.restart();
    },
    stop: () => service.stop(),
  };
}

/** Starts the processes. One member may open all sockets; with `endpointOf` each has a device. */
export async function startLiveSystem(
  settings: Readonly<Record<string, string>> = {},
  endpointOf?: EndpointOf,
) {
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  const serviceSecrets = newServiceSecrets();
  const tokens = await createTestTokens();
  const others = createServer((request, response) => {
    if (request.url === '/jwks') response.end(JSON.stringify(tokens.jwks));
    else void answerForProfile(request, response, endpointOf);
  });
  const othersUrl = `http://127.0.0.1:${await listenLocally(others)}`;
  const limit = String(effort.sockets + 1_000);
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
    REDIS_URL: engineUrl('redis'),
    RABBITMQ_URL: engineUrl('rabbitmq'),
    SOCKETS_PER_PROCESS: limit,
    SOCKETS_PER_MEMBER: limit,
    SOCKETS_PER_ADDRESS: limit,
    ...settings,
  };
  const data = dataFolder(join(runFolder('bench').path, namespace));
  const processes = Array.from({ length: effort.processes }, () => startProcess(data, environment));
  const started = await Promise.all(processes);
  return {
    /** Address of the sockets of each process. */
    urls: started.map(({ url }) => url),
    namespace,
    /** Creates an access token of a member. */
    async token(id: number): Promise<string> {
      const header = await tokens.authorization(
        { id, lifetime: 3_600 },
        { issuer: address, audience: address },
      );
      return header.slice('Bearer '.length);
    },
    /** Resident memory of all processes in bytes. */
    memory: () => started.reduce((sum, one) => sum + one.memory(), 0),
    /** CPU time of all processes in ms. */
    async processorTime(): Promise<number> {
      const times = await Promise.all(started.map((one) => one.processorTime()));
      return times.reduce((sum, time) => sum + time, 0);
    },
    /** Ends every process by SIGKILL; resolves when they are ready again. */
    async killAndRestart(): Promise<void> {
      await Promise.all(started.map((one) => one.killAndRestart()));
    },
    async stop() {
      await Promise.all(started.map((one) => one.stop()));
      others.close();
      others.closeAllConnections();
    },
  };
}
