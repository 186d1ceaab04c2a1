import { until } from '@covalence/testing/until';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { EngineName } from '../../src/engines/engine.ts';
import { startEngine, startEngines } from '../../src/engines/engines.ts';
import { isFree } from '../../src/engines/free-ports.ts';
import { readRecord } from '../../src/engines/engine-record.ts';
import { membersOf, signalProcess } from '../../src/engines/process-table.ts';
import { removeFolder, testOptions, type TestOptions } from './test-folder.ts';

const everything = testOptions();
const frozen = testOptions();

afterAll(() => {
  removeFolder(everything);
  removeFolder(frozen);
});

const engines = new URL('../../src/engines/engines.ts', import.meta.url).href;

interface Started {
  starter: ChildProcess;
  urls: Record<string, string>;
}

/** Starts engines from a process of their own, which then only waits. */
async function startFromAnother(
  names: EngineName[],
  { dataDir, logDir, environment }: TestOptions,
): Promise<Started> {
  const code = `
    import { startEngines } from ${JSON.stringify(engines)};
    const options = { dataDir: ${JSON.stringify(dataDir)}, logDir: ${JSON.stringify(logDir)}, environment: process.env };
    const started = await startEngines({ ...options, progress: () => undefined }, ${JSON.stringify(names)});
    console.log(JSON.stringify(Object.fromEntries(Object.values(started).map((each) => [each.name, each.url]))));
    setInterval(() => undefined, 1000);`;
  const args = ['--conditions=source', '--input-type=module-typescript', '--eval', code];
  const starter = spawn(process.execPath, args, {
    cwd: new URL('.', import.meta.url),
    env: { ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
  return { starter, urls: JSON.parse(line) as Record<string, string> };
}

async function kill(starter: ChildProcess): Promise<void> {
  starter.kill('SIGKILL');
  await once(starter, 'exit');
}

function living(names: EngineName[], { dataDir }: TestOptions): number[] {
  return names.flatMap((name) => {
    const folder = `${dataDir}/${name}`;
    return membersOf(readRecord(folder).running?.engine.pid ?? 0, folder);
  });
}

describe('a starter that is killed', () => {
  const names: EngineName[] = ['mongodb', 'elasticsearch', 'rabbitmq', 'redis'];

  it('leaves no engine running, and the next start has the same data and ports', async () => {
    const { starter, urls } = await startFromAnother(names, everything);
    const redis = new Redis(urls['redis'] ?? '');
    await redis.set('key', 'kept');
    redis.disconnect();
    const client = new mongo.MongoClient(urls['mongodb'] ?? '');
    await client.db('kept').collection<{ _id: string }>('things').insertOne({ _id: 'kept' });
    expect(living(names, everything).length).toBeGreaterThanOrEqual(4);

    await kill(starter);
    await until('no engine lives', () => living(names, everything).length === 0);
    const ports = names.flatMap((name) => Object.values(readRecord(`${everything.dataDir}/${name}`).ports));
    expect(ports).toHaveLength(7);
    expect(await Promise.all(ports.map(isFree))).toEqual(ports.map(() => true));

    const again = await startEngines(everything);
    expect(Object.fromEntries(names.map((name) => [name, again[name].url]))).toEqual(urls);
    const reader = new Redis(again.redis.url);
    expect(await reader.get('key')).toBe('kept');
    reader.disconnect();
    expect(await client.db('kept').collection('things').countDocuments()).toBe(1);
    await client.close();
    await Promise.all(names.map(async (name) => again[name].stop()));
    await until('no engine lives', () => living(names, everything).length === 0);
  }, 150_000);

  it('does not block the next start when the engine and its guard are suspended', async () => {
    const { starter } = await startFromAnother(['redis'], frozen);
    const [leader] = living(['redis'], frozen);
    signalProcess(-(leader ?? 0), 'SIGSTOP');
    await kill(starter);
    expect(living(['redis'], frozen)).toContain(leader);
    const engine = await startEngine('redis', frozen);
    expect(living(['redis'], frozen)).not.toContain(leader);
    await engine.stop();
  });
});
