import { createLease } from '@covalence/events/lease';
import { createHealth } from '@covalence/runtime/health';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { createLogger } from '@covalence/runtime/logger';
import { connectMongo, mongoReady } from '@covalence/runtime/mongo';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { dropIndex } from '../src/drop-index.ts';
import { underLock } from '../src/lock.ts';
import { addMigrateCommands } from '../src/migrate-command.ts';
import { by, whole } from '../src/sharding.ts';
import { databaseOf, type Migration, type MigrationWork } from '../src/migration.ts';
import { createMigrator } from '../src/migrator.ts';
import { updateEach } from '../src/update-each.ts';

interface Thing {
  _id: number;
  version: number;
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

const work = (): MigrationWork => ({
  collection: databaseOf(connection).collection,
  signal: new AbortController().signal,
  print,
});
const things = () => work().collection<Thing>('things');
const store = (count: number) =>
  things().insertMany(Array.from({ length: count }, (_, _id) => ({ _id, version: 1 })));

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
    await store(1_200);
    let written = 0;
    const cutOff = step('2', 'before', (work) =>
      updateEach<Thing>(work, {
        collection: 'things',
        filter: { value: { $exists: false } },
        set: ({ _id }) => {
          written += 1;
          if (written === 700) throw new Error('interrupted');
          return { value: `new ${_id}` };
        },
      }).then(() => undefined),
    );
    const migrator = migratorOf(step('1'), cutOff, step('3'));
    await expect(migrator.up()).rejects.toThrow('migration 2 did not finish');
    expect(await things().countDocuments({ value: { $exists: true } })).toBe(500);
    written = 1_000;
    expect(await migrator.up()).toEqual(['2', '3']);
    expect(written).toBe(1_700);
    expect(await things().countDocuments({ value: { $exists: false } })).toBe(0);
    expect(ran).toEqual(['1', '2', '2', '3']);
  });

  it('run once when two processes start them', async () => {
    const migrators = [1, 2, 3].map(() => migratorOf(step('1'), step('2'), step('3')));
    const done = await Promise.all(migrators.map((migrator) => migrator.up()));
    expect(done.flat().toSorted()).toEqual(['1', '2', '3']);
    expect(ran).toEqual(['1', '2', '3']);
  });

  it('stop when the lock is lost', async () => {
    const lease = createLease(connection, 'lost', 50);
    const other = createLease(connection, 'lost');
    const held = underLock({ lease, onWait: print, renewMs: 200 }, async (signal) => {
      await until('the other holds it', () => other.hold());
      await until('told', () => signal.aborted);
      signal.throwIfAborted();
    });
    await expect(held).rejects.toThrow('lost');
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

describe('updateEach', () => {
  it('never overwrites a concurrent write', async () => {
    await things().insertMany([1, 2, 3].map((_id) => ({ _id, version: 1, value: 'old' })));
    const { collection, ...rest } = work();
    // Another writer changes a document between its read and its write.
    const disturbed: typeof collection = (name) =>
      new Proxy(collection(name), {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          if (key !== 'bulkWrite') return value.bind(target);
          return async (...args: unknown[]) => {
            await things().updateOne(
              { _id: 2, version: 1 },
              { $set: { value: 'newer' }, $inc: { version: 1 } },
            );
            return value.apply(target, args);
          };
        },
      });
    const written = await updateEach<Thing>(
      { collection: disturbed, ...rest },
      {
        collection: 'things',
        filter: { value: { $in: ['old', 'newer'] } },
        set: ({ value }) => ({ value: `${value}, migrated` }),
      },
    );
    expect(written).toBe(3);
    expect((await things().find().sort({ _id: 1 }).toArray()).map(({ value }) => value)).toEqual([
      'old, migrated',
      'newer, migrated',
      'old, migrated',
    ]);
  });

  it('rejects when documents still need the change after every pass', async () => {
    await store(1);
    const update = { collection: 'things', filter: {}, set: () => ({ value: 'same' }) };
    await expect(updateEach<Thing>(work(), update)).rejects.toThrow('still need');
  });
});

describe('dropIndex', () => {
  it('rejects when the database is unavailable', async () => {
    const proxy = await createTcpProxy(testStores().MONGODB_URL);
    const cut = connectMongo({ url: proxy.url, database: connection.name, logger, health: createHealth() });
    await mongoReady(cut);
    const { collection } = databaseOf(cut);
    proxy.cut();
    await expect(dropIndex({ ...work(), collection }, 'things', 'value_1')).rejects.toMatchObject({
      name: expect.stringContaining('Mongo'),
    });
    await cut.close();
    await proxy.close();
  });

  it('drops an existing index, and does nothing without one', async () => {
    await store(1);
    await things().createIndex({ value: 1 });
    await dropIndex(work(), 'things', 'value_1');
    await dropIndex(work(), 'things', 'value_1');
    await dropIndex(work(), 'nothing', 'value_1');
    expect((await things().listIndexes().toArray()).map(({ name }) => String(name))).toEqual(['_id_']);
  });
});
