import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenLocally } from '@covalence/testing/listen-locally';
import { until } from '@covalence/testing/until';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../src/checkout.ts';
import { choosePorts, isFree } from '../../src/engines/free-ports.ts';
import { readRecord } from '../../src/engines/engine-record.ts';
import { startTimeOf } from '../../src/engines/process-table.ts';
import { demoSchema } from '@covalence/seed/demo';

const cli = 'cli/dist/covalence.js';

/** One run of the stack's program, on the engines of the test run. */
class Command {
  output = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    program = 'stack/dist/main.js',
  ) {
    this.child = spawn(process.execPath, [join(root, program), ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const listen = (chunk: Buffer) => (this.output += chunk.toString());
    this.child.stdout?.on('data', listen);
    this.child.stderr?.on('data', listen);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.ended = promise;
    this.child.once('close', (code) => resolve(code));
  }

  get lines() {
    return this.output.trimEnd().split('\n');
  }

  async runs() {
    await until(
      `a summary in ${this.output}`,
      () => {
        if (this.child.exitCode !== null) throw new Error(this.output);
        return this.output.includes('Covalence is running');
      },
      60_000,
    );
  }
}

/** Process ids of the services that a data folder remembers, by name. */
const servicesOf = (data: string) =>
  readdirSync(join(data, 'services')).map((name) => {
    const engine = readRecord(join(data, 'services', name)).running?.engine;
    return { name, isAlive: () => engine !== undefined && startTimeOf(engine.pid) === engine.startTime };
  });

describe('the commands', () => {
  it('keep output of the preparation out of standard output', async () => {
    const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
    const waiting: Socket[] = [];
    // As another command that is building.
    const lock = createServer((client) => waiting.push(client)).listen(`\0covalence-build-${digest}`);
    await once(lock, 'listening');
    const command = spawn(process.execPath, [
      join(root, 'stack/bootstrap.mjs'),
      'covalence',
      'keys',
      '--help',
    ]);
    const [printed, problems] = [text(command.stdout), text(command.stderr)];
    await until('it waits', () => waiting.length);
    lock.close();
    for (const client of waiting) client.destroy();
    expect(await printed).toMatch(/^Usage: covalence keys /);
    expect(await problems).toMatch(/^Waiting for another start or test run/);
  });

  it('npm start prints its help', async () => {
    const help = new Command(['start', '--help']);
    expect(await help.ended).toBe(0);
    expect(help.output).toContain('npm start [-- options]');
  });

  it.each([
    [['start', '--members', 'x'], '--members takes'],
    [['start', '--reste'], "Unknown option '--reste'"],
    [['begin'], "There is no command 'begin'"],
  ])('%j is rejected with one line', async (args, message) => {
    const refused = new Command(args);
    expect(await refused.ended).toBe(1);
    expect(refused.lines).toEqual([expect.stringContaining(message)]);
  });

  it('npm start rejects a file as data folder with one line', async () => {
    const refused = new Command(['start', '--data', import.meta.filename], { NAMESPACE: '' });
    expect(await refused.ended).toBe(1);
    expect(refused.lines).toEqual([expect.stringContaining('cannot be a folder')]);
  });

  it('npm test prints the counts last and exits with the code of jest', async () => {
    const args = ['test', 'stack/tests/cli/start-options', '-t', 'have defaults'];
    const passing = new Command(args);
    expect([await passing.ended, passing.lines.at(-1)]).toEqual([0, '1 passed, 0 failed']);
    const nothing = new Command(['test', 'no/such/test']);
    expect([await nothing.ended, nothing.lines.at(-1)]).toEqual([1, '0 passed, 1 failed']);
  });
});

/** The line that publishing a version prints. */
const inForce = (version: number, more = '') =>
  `version ${version} is in force${more}: every search process uses it within seconds`;

describe('npm start', () => {
  let data: string;
  const started: Command[] = [];
  let PORT: string;
  const start = (...args: string[]) => {
    // Empty ones count as not set.
    const empty = { SITES_FILE: '', MAIL_DIR: '', AUTH_URL: '' };
    const command = new Command(['start', '--data', data, ...args], { PORT, ...empty });
    started.push(command);
    return command;
  };
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'covalence-start-'));
    const { port } = await choosePorts(['port'], {});
    PORT = String(port);
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGTERM');
    await Promise.all(started.map(({ ended }) => ended));
    rmSync(data, { recursive: true, force: true });
  });

  it('reports in one line that its port is in use', async () => {
    const other = createServer();
    const port = await listenLocally(other);
    const refused = new Command(['start', '--data', data], { PORT: String(port) });
    expect(await refused.ended).toBe(1);
    expect(refused.lines).toEqual([expect.stringMatching(`^Port ${port} is in use .* PORT=8081 npm start$`)]);
    other.close();
  });

  it('starts, survives kill -9 of the starter, and stops everything on a signal', async () => {
    const first = start('--members', '0');
    await first.runs();
    const file = join(data, 'demo.json');
    const demo = demoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(demo).toMatchObject({ base_url: `http://localhost:${PORT}`, siteid: 1, members: [] });
    expect(demo.sites.slice(0, 2).map(({ review }) => review)).toEqual(['automatic', 'manual']);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.lines).toEqual([expect.stringContaining(`process ${first.child.pid}, ${demo.base_url}`)]);

    // The search team's tools find the stack by its folder.
    const status = new Command(['index', 'status', '--data', data], {}, cli);
    expect([await status.ended, status.lines[1]]).toEqual([0, 'documents: 0, of them visible: 0']);
    const letters = new Command(['events', 'list', '--data', data], {}, cli);
    expect([await letters.ended, letters.lines[0]]).toEqual([0, 'search.index: none']);
    const lab = new Command(['relevance', '--members', '600', '--data', data], {}, cli);
    expect([await lab.ended, lab.lines.map((line) => line.split(' ')[0])]).toEqual([
      0,
      [
        expect.stringMatching(/^[1-9]\d?$/),
        '',
        'nDCG@10',
        'precision@10',
        'recall@100',
        'ERR@10',
        'judged@10',
      ],
    ]);

    const settings = async (...args: string[]) => {
      const command = new Command(['search-settings', ...args, '--data', data], {}, cli);
      expect([command.output, await command.ended]).toEqual(['', 0]);
      return command.lines;
    };
    const words = join(data, 'words.json');
    writeFileSync(words, JSON.stringify({ languages: { en: { synonyms: ['dog, puppy'] } } }));
    expect(await settings('publish', words, '--note', 'pets')).toEqual([inForce(1)]);
    expect(await settings('try', 'en', 'big dogz')).toEqual(['big: big', 'dogz: dogz | dog | puppy']);
    expect((await settings('show')).join('')).toContain('"dog, puppy"');
    expect(await settings('rollback')).toEqual([inForce(2, ' with the content of version 0, instead of 1')]);
    expect(await settings('try', 'en', 'dog')).toEqual(['dog: dog']);
    expect(await settings('try', 'en', 'dog', '--file', words)).toEqual(['dog: dog | puppy']);
    expect(await settings('list')).toEqual([
      expect.stringMatching(/^2 {2}\S+Z {2}again version 0$/),
      expect.stringMatching(/^1 {2}\S+Z {2}pets$/),
    ]);

    const before = servicesOf(data);
    expect(before.map(({ isAlive }) => isAlive())).toEqual(before.map(() => true));
    first.child.kill('SIGKILL');
    const third = start();
    await third.runs();
    expect(before.filter(({ isAlive }) => isAlive())).toEqual([]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(demo);

    const after = servicesOf(data);
    third.child.kill('SIGINT');
    expect(await third.ended).toBe(0);
    expect(after.filter(({ isAlive }) => isAlive())).toEqual([]);
    expect(await isFree(Number(PORT))).toBe(true);
  });
});
