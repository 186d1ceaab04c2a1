import { addressVariable } from '@covalence/stack/address-variable';
import { dataFolder, root } from '@covalence/stack/checkout';
import { requireCommand } from '@covalence/stack/engines/debian-packages';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { heapOptions } from '@covalence/stack/services/service-process';
import { runFolder } from '@covalence/stack/processes/run-folder';
import { until } from '@covalence/testing/until';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchTokens, type BenchTokens } from './bench-tokens.ts';
import { effort } from './effort.ts';
import { engineUrl } from './engines.ts';

/** Ways to one service: nginx, nginx that limits what an address may ask for, the bare middleware and the gateway, each on a core of its own. */
export interface Proxies {
  readonly addresses: Readonly<Record<'nginx' | 'limited' | 'bare' | 'gateway', string>>;
  readonly tokens: BenchTokens;
  /** The path of wrk, which makes the load. */
  readonly wrk: string;
  stop(): Promise<void>;
}

/** Length of a round of load: neither wrk nor a window knows parts of a second. */
export const wholeSeconds = Math.ceil(effort.seconds);

/** The proxies run here; the service and the load share the other core. */
const proxyCore = '0';
const otherCore = '1';

const answering = (url: string): Promise<true> => {
  const isGood = async () => {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.status === 200;
  };
  return until(`200 of ${url}`, isGood, 30_000);
};

/** As the gateway is deployed (k8s/base/gateway.yaml), and for the bare middleware too. */
const nodeOptions = [...heapOptions, '--v8-pool-size=1'];

/** So many requests of an address the gateway takes at once, and nginx beside its limit. */
const atOnce = 200;

const url = (port: number) => `http://127.0.0.1:${port}`;

/** A member record is about this long. */
const answerText = JSON.stringify({ padding: 'x'.repeat(1_010) });

const nginxConfig = (folder: string, server: string) => `
worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 16000; }
http { access_log off; keepalive_requests 1000000000; client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${server} }`;

/**
 * Starts nginx, the bare middleware and the gateway before one service that answers 1 KB at once. The gateway counts what
 * each address asks for, and refuses what is over `perAddress` a second in its window, which is as long as a round of load; so does
 * nginx at its second address, second by second.
 */
export async function startProxies(perAddress: number): Promise<Proxies> {
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
  const nginx = await requireCommand({
    title: 'nginx',
    commands: ['nginx'],
    package: 'nginx-light',
    variable: 'PATH',
    options,
  });
  const wrk = await requireCommand({
    title: 'wrk',
    commands: ['wrk'],
    package: 'wrk',
    variable: 'PATH',
    options,
  });
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
    const names = ['service', 'viaNginx', 'limited', 'bare', 'gateway', 'management'] as const;
    const { service, viaNginx, limited, bare, gateway, management } = await choosePorts(names, {});
    const tokens = await benchTokens(url(gateway));
    startNginx(
      otherCore,
      'service',
      `server { listen 127.0.0.1:${service}; default_type application/json; keepalive_timeout 80 65;
         location = /jwks { return 200 '${tokens.jwks}'; } location / { return 200 '${answerText}'; } }`,
    );
    startNginx(
      proxyCore,
      'proxy',
      `upstream service { server 127.0.0.1:${service}; keepalive 256; keepalive_requests 1000000000; }
       proxy_http_version 1.1; proxy_set_header Connection "";
       limit_req_zone $binary_remote_addr zone=address:10m rate=${perAddress}r/s; limit_req_status 429;
       server { listen 127.0.0.1:${viaNginx}; location / { proxy_pass http://service; } }
       server { listen 127.0.0.1:${limited}; location / { limit_req zone=address burst=${atOnce} nodelay; proxy_pass http://service; } }`,
    );
    run(proxyCore, process.execPath, [
      ...nodeOptions,
      fileURLToPath(new URL('bare-proxy.ts', import.meta.url)),
      String(bare),
      url(service),
    ]);
    const peers = ['auth', 'profile', 'search', 'billing', 'updates'].map((name) => [
      addressVariable(name),
      url(service),
    ]);
    run(proxyCore, process.execPath, [...nodeOptions, join(root, 'gateway/dist/main.js')], {
      ...Object.fromEntries(peers),
      PORT: String(gateway),
      MANAGEMENT_PORT: String(management),
      LOG_LEVEL: 'warn',
      PUBLIC_URL: url(gateway),
      REDIS_URL: engineUrl('redis'),
      // Of its own: what one gateway counted under another limit says nothing here.
      NAMESPACE: `bench-${gateway}`,
      RATE_PER_MEMBER: '1000000000',
      RATE_WINDOW_SECONDS: String(wholeSeconds),
      RATE_PER_ADDRESS: String(perAddress * wholeSeconds),
    });
    const addresses = { nginx: url(viaNginx), limited: url(limited), bare: url(bare), gateway: url(gateway) };
    await Promise.all(Object.values(addresses).map((address) => answering(`${address}/jwks`)));
    return { addresses, tokens, wrk, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
