import { addressVariables } from '@covalence/stack/address-variable';
import { dataFolder, root } from '@covalence/stack/checkout';
import { requireCommand } from '@covalence/stack/engines/debian-packages';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { heapOptions } from '@covalence/stack/services/service-process';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { effort } from './effort.ts';
import { engineUrl } from './engines.ts';

/** nginx, the bare middleware and the gateway before one service; all proxies share a core. */
export type Proxies = Awaited<ReturnType<typeof startProxies>>;

/** Seconds of a round: wrk and the rate window take whole numbers only. */
export const wholeSeconds = Math.ceil(effort.seconds);

const proxyCore = '0';
/** The core of the service and the load. */
export const otherCore = '1';

/** As the gateway is deployed (k8s/base/gateway.yaml). */
const nodeOptions = [...heapOptions, '--v8-pool-size=1'];

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

async function answers(url: string): Promise<boolean> {
  const { status, body } = await fetch(url);
  await body?.cancel();
  return status === 200;
}

const nginxConfig = (folder: string, server: string) => `
worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 16000; }
http { access_log off; keepalive_requests 1000000000; client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${server} }`;

/** Starts the proxies and a service that answers 1 KB. The gateway limits each address to `perAddress` requests per second. */
export async function startProxies(perAddress: number) {
  const data = dataFolder(join(runFolder('bench').path, `gateway-${perAddress}`));
  const children: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
  const run = (core: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn('taskset', ['-c', core, command, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push({ child, ended: once(child, 'exit') });
  };
  const options = {
    dataDir: data.engines,
    logDir: data.logs,
    environment: process.env,
    progress: () => {},
    signal: new AbortController().signal,
  };
  const command = (name: string, packageName: string) =>
    requireCommand({ title: name, commands: [name], package: packageName, variable: 'PATH', options });
  const nginx = await command('nginx', 'nginx-light');
  const wrk = await command('wrk', 'wrk');
  const startNginx = (core: string, name: string, server: string) => {
    const folder = join(data.path, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, server));
    run(core, nginx, ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]);
  };
  const stop = async () => {
    for (const { child } of children) child.kill('SIGTERM');
    await Promise.all(children.map(({ ended }) => ended));
  };
  try {
    const names = ['service', 'nginxPort', 'bare', 'gateway', 'management'] as const;
    const { service, nginxPort, bare, gateway, management } = await choosePorts(names, {});
    const addresses = { nginx: urlOf(nginxPort), bare: urlOf(bare), gateway: urlOf(gateway) };
    const tokens = await createTestTokens();
    const answerText = JSON.stringify({ padding: 'x'.repeat(1_010) });
    startNginx(
      otherCore,
      'service',
      `server { listen 127.0.0.1:${service}; default_type application/json; keepalive_timeout 80 65;
         location = /jwks { return 200 '${JSON.stringify(tokens.jwks)}'; } location / { return 200 '${answerText}'; } }`,
    );
    startNginx(
      proxyCore,
      'proxy',
      `upstream service { server 127.0.0.1:${service}; keepalive 256; keepalive_requests 1000000000; }
       proxy_http_version 1.1; proxy_set_header Connection "";
       server { listen 127.0.0.1:${nginxPort}; location / { proxy_pass http://service; } }`,
    );
    const bareProxy = fileURLToPath(new URL('bare-proxy.ts', import.meta.url));
    run(proxyCore, process.execPath, [...nodeOptions, bareProxy, String(bare), urlOf(service)]);
    const peers = ['auth', 'profile', 'search', 'billing', 'updates'];
    run(proxyCore, process.execPath, [...nodeOptions, join(root, 'gateway/dist/main.js')], {
      ...addressVariables(peers.map((name) => [name, urlOf(service)])),
      PORT: String(gateway),
      MANAGEMENT_PORT: String(management),
      LOG_LEVEL: 'warn',
      PUBLIC_URL: addresses.gateway,
      REDIS_URL: engineUrl('redis'),
      // Separates the counters of two limits.
      NAMESPACE: `bench-${gateway}`,
      RATE_PER_MEMBER: '1000000000',
      RATE_WINDOW_SECONDS: String(wholeSeconds),
      RATE_PER_ADDRESS: String(perAddress * wholeSeconds),
    });
    const urls = Object.values(addresses).map((address) => `${address}/jwks`);
    await Promise.all(urls.map((url) => until(`200 of ${url}`, () => answers(url))));
    const site = { issuer: addresses.gateway, audience: addresses.gateway };
    const authorization = await tokens.authorization({ id: 1, lifetime: 3_600 }, site);
    return { addresses, authorization, wrk, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
