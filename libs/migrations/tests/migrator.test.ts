import { createHealth } from '@covalence/runtime/health';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { createLogger } from '@covalence/runtime/logger';
import { connectMongo, mongoReady } from '@covalence/runtime/mongo';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { addMigrateCommands } from '../src/migrate-command.ts';
import { by, whole } from '../src/sharding.ts';
import { databaseOf, type Migration } from '../src/migration.ts';
import { createMigrator } from '../src/migrator.ts';

interface Thing {
  _id: number;
  value?: string;
}

let connection: Connection;
let ran: string[];
const print = () => undefined;
const logger = createLogger('test', 'silent');

beforeAll(async () => {
  const database = testNamespace('migrations');
  connection = connectMongo({ url: testStores().MONGODB_URL, database, logger, health: createHealth() });
  await mongoReady(connection);
});
beforeEach(async () => {
  ran = [];
  await Promise.all(
    ['migrations', 'leases', 'things'].map((name) => connection.collection(name).deleteMany({})),
  );
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const things = () => databaseOf(connection).collection<Thing>('things');
const store = (count: number) => things().insertMany(Array.from({ length: count }, (_, _id) => ({ _id })));

const step = (name: string, runs: Migration['runs'] = 'before', up: Migration['up'] = async () => {}) => ({
  name,
  what: name,
  runs,
  async up(work: Parameters<Migration['up']>[0]) {
    ran.push(name);
    await up(work);
  },
});
const migratorOf = (...migrations: Migration[]) => createMigrator({ connection, migrations, print });

describe('migrations', () => {
  it('run once, in order, and are recorded', async () => {
    const migrator = migratorOf(step('1'), step('2'));
    expect(await migrator.up()).toEqual(['1', '2']);
    expect(await migrator.up()).toEqual([]);
    expect(ran).toEqual(['1', '2']);
    expect((await migrator.status()).map(({ name, done }) => [name, done instanceof Date])).toEqual([
      ['1', true],
      ['2', true],
    ]);
  });

  it('of kind `after` wait for finish', async () => {
    await store(1);
    const migrator = migratorOf(step('1'), step('2', 'after'));
    expect(await migrator.up()).toEqual(['1']);
    expect(await migrator.finish()).toEqual(['2']);
    expect(await migrator.finish()).toEqual([]);
  });

  it('of a new version wait until the previous version is finished', async () => {
    await store(1);
    const migrator = migratorOf(step('1', 'after'), step('2'));
    await expect(migrator.up()).rejects.toThrow('1 must run before 2');
    expect(ran).toEqual([]);
    await migrator.finish();
    expect(ran).toEqual(['1', '2']);
  });

  it('all run at once in an empty database', async () => {
    expect(await migratorOf(step('1', 'after'), step('2'), step('3', 'after')).up()).toEqual(['1', '2', '3']);
  });

  it('of a newer version are ignored', async () => {
    await migratorOf(step('1'), step('2')).up();
    expect(await migratorOf(step('1')).up()).toEqual([]);
    expect(
      (await connection.collection('migrations').find().toArray()).map(({ _id }) => String(_id)),
    ).toEqual(['1', '2']);
  });

  it('continue where they were interrupted', async () => {
    await store(3);
    let isCut = true;
    const isOld = { value: { $exists: false } };
    const cutOff = step('2', 'before', async ({ collection }) => {
      const all = collection<Thing>('things');
      for await (const { _id } of all.find(isOld).sort({ _id: 1 })) {
        if (_id === 1 && isCut) throw new Error('interrupted');
        await all.updateOne({ _id }, { $set: { value: `new ${_id}` } });
      }
    });
    const migrator = migratorOf(step('1'), cutOff, step('3'));
    await expect(migrator.up()).rejects.toThrow('migration 2 did not finish');
    expect(await things().countDocuments(isOld)).toBe(2);
    isCut = false;
    expect(await migrator.up()).toEqual(['2', '3']);
    expect(await things().countDocuments(isOld)).toBe(0);
    expect(ran).toEqual(['1', '2', '2', '3']);
  });

  it('run once when two processes start them', async () => {
    const migrators = [1, 2, 3].map(() => migratorOf(step('1'), step('2'), step('3')));
    const done = await Promise.all(migrators.map((migrator) => migrator.up()));
    expect(done.flat().toSorted()).toEqual(['1', '2', '3']);
    expect(ran).toEqual(['1', '2', '3']);
  });
});

const sharding = { things: by('_id', 'found by it'), 'other-things': by('owner', 'x'), few: whole('few') };

const run = async (name: string, ...migrations: Migration[]) => {
  const output = new PassThrough();
  const program = createProgram('covalence', 'test', { stdout: output, stderr: output });
  const open = () => ({ connection, migrations, sharding, close: () => Promise.resolve() });
  addMigrateCommands(program, [
    { service: 'profile', environment: () => ({}), load: () => Promise.resolve(open) },
  ]);
  const code = await runProgram(program, ['migrate', name]);
  return { code, lines: (await text(output.end())).trim().split('\n') };
};

describe('the migrate command', () => {
  it('lists due migrations, runs them, and reports why one failed', async () => {
    await store(1);
    const both = [step('1'), step('2', 'after')];
    expect(await run('status', ...both)).toEqual({
      code: 1,
      lines: ['profile: 1: 1; to do before this version', 'profile: 2: 2; to do after this version'],
    });
    expect(await run('up', ...both)).toEqual({ code: 0, lines: ['profile: done: 1'] });
    expect((await run('status', ...both)).code).toBe(0);
    expect(await run('finish', ...both)).toEqual({ code: 0, lines: ['profile: done: 2'] });
    const broken = step('3', 'before', () => Promise.reject(new Error('no space')));
    expect(await run('up', ...both, broken)).toEqual({
      code: 1,
      lines: ['profile: failed: migration 3 did not finish: no space'],
    });
  });
});

describe('migrate shards', () => {
  it('prints what mongosh runs for each collection with a shard key, and nothing else', async () => {
    const { code, lines } = await run('shards');
    expect([code, lines]).toEqual([
      0,
      [
        `sh.shardCollection("${connection.name}.things", {"_id":"hashed"})`,
        `sh.shardCollection("${connection.name}.other-things", {"owner":"hashed"})`,
      ],
    ]);
  });
});
