import { choosePorts } from '@covalence/stack/engines/free-ports';
import { until } from '@covalence/testing/until';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deploymentOf, environmentOf } from './environment.ts';
import { root } from './files.ts';

/** Public routes; of nine, each failure of one request in 20 is the first of another route. */
const paths = [
  '/recordaffiliatehit',
  '/jwks',
  ...['', '/password', '/two-step', '/passkeys', '/email', '/export', '/delete'].map(
    (page) => `/account${page}`,
  ),
];

/** A gateway of one version. */
export interface Gateway {
  /** Sends it a request, to one route after another; resolves with the status. */
  ask(): Promise<number>;
  /** Its counters, with the label that Prometheus adds to pods of a rollout. */
  scrape(): Promise<ReadonlyMap<string, number>>;
  stop(): void;
}

function countersOf(text: string, revision: string): Map<string, number> {
  const lines = [...text.matchAll(/^(http_request_duration_seconds_count)\{(.*)\} (\S+)$/gm)];
  return new Map(
    lines.map(([, name, labels, value]) => [`${name}{${labels},revision="${revision}"}`, Number(value)]),
  );
}

/** Starts a gateway in front of services that fail one request of so many. No store and no other service is reachable. */
export async function startGateway(revision: string, failsEach: number): Promise<Gateway> {
  let asked = 0;
  const service = createServer((_request, response) => {
    asked += 1;
    response.writeHead(asked % failsEach === 0 ? 500 : 200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const { port, management } = await choosePorts(['port', 'management'], {});
  const elsewhere = Object.entries(environmentOf(deploymentOf('gateway'))).map(([name, value]) => [
    name,
    value.replace(/^(\w+:\/\/)\w+:\d+$/, '$1127.0.0.1:1'),
  ]);
  const env = {
    ...Object.fromEntries(elsewhere),
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: String(management),
    PROFILE_URL: origin,
    AUTH_URL: origin,
    TRUSTED_PROXIES: '0',
  };
  const args = ['--conditions=source', join(root, 'gateway/src/main.ts')];
  const gateway = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = () => {
    gateway.kill('SIGKILL');
    service.close();
    service.closeAllConnections();
  };
  const metrics = `http://127.0.0.1:${management}/metrics`;
  try {
    await until('the gateway to live', async () => (await fetch(metrics)).ok, 60_000);
  } catch (error) {
    stop();
    throw error;
  }
  let sent = 0;
  return {
    ask: async () => {
      sent += 1;
      const response = await fetch(`http://127.0.0.1:${port}${paths[sent % paths.length] ?? ''}`, {
        redirect: 'manual',
      });
      await response.arrayBuffer();
      return response.status;
    },
    scrape: async () => countersOf(await (await fetch(metrics)).text(), revision),
    stop,
  };
}
