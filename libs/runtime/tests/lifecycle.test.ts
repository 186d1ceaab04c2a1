import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const source = (name: string) => JSON.stringify(new URL(`../src/${name}.ts`, import.meta.url).href);

/** A service that runs one action after its start. */
const serviceThat = (
  does: string,
  { answers = '() => undefined', background = '() => ({ close })' } = {},
) => `
  import { createServer } from 'node:http';
  import { createHealth } from ${source('health')};
  import { createLogger } from ${source('logger')};
  import { createMetrics } from ${source('metrics')};
  import { runService } from ${source('lifecycle')};
  const health = createHealth();
  const order = [];
  const close = async () => logger.info({ order }, 'stores closed');
  const logger = createLogger('test', 'info');
  const background = ${background};
  const service = { server: createServer(${answers}), health, metrics: createMetrics('test'), logger, background, close };
  await runService(service, { HOST: '127.0.0.1', PORT: 0, MANAGEMENT_PORT: 0, OTEL_TRACES_SAMPLER_ARG: 1 });
  ${does}
`;

/** The complete output and the exit of a program. */
async function run(program: string): Promise<{ said: string; code: unknown }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [unknown];
  return { said, code };
}

/** Its log lines, in any order: the last ones may overtake pending writes. */
const linesOf = (said: string) =>
  said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

/** Starts a service; resolves with its ports when it listens. */
async function start(answers = '() => undefined') {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', serviceThat('', { answers })]);
  const ended = once(child, 'close');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.stdout.resume();
  const { port, management_port } = JSON.parse(line) as { port: number; management_port: number };
  return { child, ended, port, management_port };
}

describe('a running service', () => {
  it('exposes metrics of the process with its own', async () => {
    const { child, ended, management_port } = await start();
    const metrics = await (await fetch(`http://127.0.0.1:${management_port}/metrics`)).text();
    expect(metrics).toMatch(/^process_cpu_seconds_total\{service="test"\} /m);
    expect(metrics).toContain('http_request_duration_seconds');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

describe('an uncaught exception', () => {
  it('exits, and logs the error without the properties of drivers', async () => {
    const error = "Object.assign(new Error('broken'), { document: { headline: 'Of a member' } })";
    const { said, code } = await run(serviceThat(`setTimeout(() => { throw ${error}; });`));
    expect(code).toBe(1);
    expect(said).not.toContain('Of a member');
    expect(linesOf(said)).toContainEqual(
      expect.objectContaining({
        service: 'test',
        msg: 'uncaught exception',
        err: expect.objectContaining({ type: 'Error', message: 'broken' }),
      }),
    );
  });
});

describe('background work', () => {
  it('starts when the required stores answer, and is closed before them', async () => {
    const background = `(() => {
      let asked = 0;
      health.add('store', () => (++asked < 3 ? Promise.reject(new Error('away')) : Promise.resolve()));
      return () => {
        order.push('begun after ' + asked);
        process.kill(process.pid, 'SIGTERM');
        return { close: async () => void order.push('closed') };
      };
    })()`;
    const { said, code } = await run(serviceThat('', { background }));
    expect(code).toBe(0);
    const order = ['begun after 3', 'closed'];
    expect(linesOf(said)).toContainEqual(expect.objectContaining({ msg: 'stores closed', order }));
  });
});

describe('a stopped service', () => {
  it('exits after its answers, whatever idle or unused connections are open', async () => {
    const answers = `(request, response) => {
      process.kill(process.pid, 'SIGTERM');
      setTimeout(() => response.end('here'), 300);
    }`;
    const { port, ended } = await start(answers);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const agent = new Agent({ keepAlive: true });
    const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
    expect(await text(answer)).toBe('here');
    expect(await ended).toEqual([0, null]);
    agent.destroy();
    silent.destroy();
  });
});
