import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readRecord } from '../../src/engines/engine-record.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { startEngine, startEngines } from '../../src/engines/engines.ts';
import { membersOf } from '../../src/engines/process-table.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { fakeCommand, isOpenToOthers, removeFolder, testOptions } from './test-folder.ts';

const options = testOptions();
let engine: Engine;

beforeAll(async () => {
  engine = await startEngine('redis', options);
});

afterAll(async () => {
  await engine.stop();
  removeFolder(options);
});

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  // The command rejects; without a listener the event would be printed too.
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const read = async (): Promise<string | null> => withRedis(engine.url, async (redis) => redis.get('key'));

describe('a started engine', () => {
  it('keeps its port and data across stop and restart, and can be stopped twice', async () => {
    const { url } = engine;
    await withRedis(url, async (redis) => redis.set('key', 'kept'));
    await engine.stop();
    await engine.stop();
    expect(engine.pid).toBeUndefined();
    await engine.restart();
    expect(engine.url).toBe(url);
    expect(await read()).toBe('kept');
  });

  it('requires its password, which only its owner can read', async () => {
    const { password, port } = new URL(engine.url);
    expect(password).toMatch(/^[\w-]{32}$/);
    for (const user of ['', ':guest@']) {
      const stranger = withRedis(`redis://${user}127.0.0.1:${port}`, async (redis) => redis.get('key'));
      await expect(stranger).rejects.toThrow(/NOAUTH|WRONGPASS/);
    }
    const folder = join(options.dataDir, 'redis');
    const kept = readdirSync(folder).filter((name) => /^(password\.json|redis\.conf)$/.test(name));
    expect(kept.map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0, 0]);
    const shown = readFileSync(`/proc/${engine.pid}/cmdline`, 'utf8');
    expect(shown).not.toContain(password);
    expect(await isOpenToOthers(engine.url)).toBe(false);
  });

  it('can be stopped while it is suspended', async () => {
    engine.kill('SIGSTOP');
    await engine.stop();
    await engine.restart();
    expect(await read()).toBe('kept');
  });

  it('reports its crash with the end of its log, but not a stop', async () => {
    const lines: string[] = [];
    const stopped = engine.exited.then((line) => lines.push(line));
    await engine.stop();
    await engine.restart();
    process.kill(engine.pid ?? 0, 'SIGKILL');
    const line = await engine.exited;
    expect(line).toMatch(/^Redis ended \(SIGKILL\); its last log lines: .*redis\.log\)$/);
    expect(line).not.toContain('\n');
    await engine.restart();
    await Promise.race([stopped, read()]);
    expect(lines).toEqual([]);
  });

  it('cannot be started twice in one folder', async () => {
    await expect(startEngine('redis', options)).rejects.toThrow(/already running on .* stop that one/);
    expect(await read()).toBe('kept');
  });

  it('uses another port when its own is in use', async () => {
    const port = Number(new URL(engine.url).port);
    await engine.stop();
    const squatter = createServer().listen(port, '127.0.0.1');
    engine = await startEngine('redis', options);
    squatter.close();
    expect(new URL(engine.url).port).not.toBe(String(port));
    expect(await read()).toBe('kept');
  });
});

describe('an address in the environment', () => {
  it('is used, and its server is not stopped', async () => {
    const given = await startEngine('redis', { ...options, environment: { REDIS_URL: engine.url } });
    expect(given).toMatchObject({ origin: 'environment', url: engine.url, version: engine.version });
    expect(given.pid).toBeUndefined();
    await given.stop();
    expect(() => given.kill('SIGKILL')).toThrow(/not started here/);
    expect(await read()).toBe('kept');
  });

  it('without a server fails with one line without the password', async () => {
    const environment = { REDIS_URL: 'redis://:sesame@127.0.0.1:1' };
    const start = startEngine('redis', { ...options, environment });
    await expect(start).rejects.toThrow(
      /^REDIS_URL is set, but no Redis answers there \(.*unset the variable$/,
    );
    await expect(start).rejects.not.toThrow(/sesame/);
  });
});

describe('a failed start', () => {
  it('shows the end of the log and stops the other engines', async () => {
    const failing = testOptions();
    failing.environment['PATH'] = fakeCommand(
      failing,
      'redis-server',
      'echo "boom: bad configuration"; exit 3',
    );
    const start = startEngines(failing, ['mongodb', 'redis']);
    await expect(start).rejects.toThrow(CommandError);
    await expect(start).rejects.toThrow(
      /^Redis ended \(exit code 3\); its last log lines: boom: bad configuration/,
    );
    const folder = `${failing.dataDir}/mongodb`;
    const group = readRecord(folder).running?.engine.pid ?? 0;
    await until('the other is stopped', () => membersOf(group, folder).length === 0);
    removeFolder(failing);
  });

  it('of an installed server shows its output', async () => {
    const installed = testOptions();
    installed.environment['PATH'] = fakeCommand(installed, 'mongod', 'echo "$@"; exit 1');
    const start = startEngine('mongodb', installed);
    await expect(start).rejects.toThrow(/--dbpath \S+data\/mongodb\/installed .*--bind_ip 127\.0\.0\.1/);
    removeFolder(installed);
  });
});
