import { choosePorts } from '@covalence/stack/engines/free-ports';
import { until } from '@covalence/testing/until';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deploymentOf, environmentOf } from './environment.ts';
import { root } from './files.ts';
import type { Samples } from './prometheus.ts';

/** Requests between two scrapes. */
const requestsPerMinute = 60;

/** Asks a gateway for one minute's requests, ten at a time. */
async function load(address: string): Promise<void> {
  for (let sent = 0; sent < requestsPerMinute; sent += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(`${address}/recordaffiliatehit`)).arrayBuffer()),
    );
}

/** The counters of a scrape, with the label that Prometheus adds to pods of a rollout. */
function counters(text: string, revision: string): Map<string, number> {
  const lines = [...text.matchAll(/^(http_request_duration_seconds_count)\{(.*)\} (\S+)$/gm)];
  return new Map(
    lines.map(([, name, labels, value]) => [`${name}{${labels},revision="${revision}"}`, Number(value)]),
  );
}

/**
 * Runs a gateway in front of a service that fails one request of so many, and scrapes it as if a minute passed between
 * scrapes. No store and no other service is reachable.
 */
export async function scrapedGateway(revision: string, failsEach: number, minutes: number): Promise<Samples> {
  let asked = 0;
  const service = createServer((_request, response) => {
    asked += 1;
    response.writeHead(asked % failsEach === 0 ? 500 : 200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
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
    PROFILE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    TRUSTED_PROXIES: '0',
  };
  const args = ['--conditions=source', join(root, 'gateway/src/main.ts')];
  const gateway = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const metrics = `http://127.0.0.1:${management}/metrics`;
    await until('the gateway to live', async () => (await fetch(metrics)).ok, 60_000);
    const samples = new Map<string, number[]>();
    for (let minute = 0; minute < minutes; minute += 1) {
      await load(`http://127.0.0.1:${port}`);
      for (const [series, value] of counters(await (await fetch(metrics)).text(), revision)) {
        const values = samples.get(series) ?? Array.from({ length: minute }, () => 0);
        samples.set(series, [...values, value]);
      }
    }
    return samples;
  } finally {
    gateway.kill('SIGKILL');
    service.close();
    service.closeAllConnections();
  }
}
