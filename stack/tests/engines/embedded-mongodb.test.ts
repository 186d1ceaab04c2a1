import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import type { Engine } from '../../src/engines/engine.ts';
import { findEmbeddedMongodb, mongodbEngine } from '../../src/engines/mongodb-engine.ts';
import { isOpenToOthers, removeFolder, startEmbedded, testOptions } from './test-folder.ts';

interface Member {
  _id: number;
  site?: number;
  name?: string;
  email?: string;
  active?: boolean;
  tags?: string[];
  outboxAt?: Date;
  count?: number;
  log?: { at: number; seen?: boolean }[];
}

const options = testOptions({ MONGODB_JAVA_OPTS: '-Dcovalence.expiry.seconds=1' });
let engine: Engine;
let client: mongo.MongoClient;
let members: mongo.Collection<Member>;

beforeAll(async () => {
  engine = await startEmbedded(mongodbEngine, findEmbeddedMongodb, options);
  // Time that a write begun after the database was killed waits for another one; the default is longer than a test may take.
  client = new mongo.MongoClient(engine.url, { maxPoolSize: 50, serverSelectionTimeoutMS: 5_000 });
  members = client.db('semantics').collection('members');
  await members.createIndexes([
    { key: { site: 1, name: 1 }, unique: true, sparse: true },
    { key: { email: 1 }, unique: true, partialFilterExpression: { active: true } },
    { key: { outboxAt: 1 }, sparse: true },
    { key: { tags: 1 } },
  ]);
});

afterAll(async () => {
  await client.close();
  await engine.stop();
  removeFolder(options);
});

const ids = async (filter: mongo.Filter<Member>): Promise<number[]> =>
  (await members.find(filter).sort({ _id: 1 }).toArray()).map((member) => member._id);

const codeOf = (error: unknown): unknown => (error instanceof mongo.MongoServerError ? error.code : error);

describe('the embedded database', () => {
  it('answers as MongoDB 5.0', async () => {
    await expect(client.db('admin').command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
    expect(engine).toMatchObject({ origin: 'embedded', version: '5.0.0' });
  });

  it('listens on the loopback address only', async () => {
    expect(await isOpenToOthers(engine.url)).toBe(false);
  });

  it('inserts, reads, updates, replaces and deletes', async () => {
    await members.insertMany([
      { _id: 1, site: 1, name: 'ada', tags: ['a', 'b'] },
      { _id: 2, site: 1, name: 'bo', tags: [] },
      { _id: 3, site: 2, name: 'cy', tags: ['b'] },
    ]);
    await members.updateOne({ _id: 1 }, { $set: { count: 1 }, $push: { log: { at: 1 } } });
    await members.updateOne({ _id: 1, 'log.at': 1 }, { $set: { 'log.$.seen': true } });
    await members.replaceOne({ _id: 3 }, { site: 2, name: 'di', tags: ['c'] });
    await members.deleteOne({ _id: 2 });
    expect(await members.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, site: 1, name: 'ada', tags: ['a', 'b'], count: 1, log: [{ at: 1, seen: true }] },
      { _id: 3, site: 2, name: 'di', tags: ['c'] },
    ]);
  });

  it('supports unique, sparse and partial indexes, and reports the fields of a duplicate', async () => {
    await expect(members.insertOne({ _id: 4, site: 1, name: 'ada' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { site: 1, name: 1 },
    });
    await expect(members.updateOne({ _id: 3 }, { $set: { site: 1, name: 'ada' } })).rejects.toMatchObject({
      code: 11000,
    });
    await expect(
      members.findOneAndUpdate({ _id: 3 }, { $set: { site: 1, name: 'ada' } }),
    ).rejects.toMatchObject({ code: 11000, keyPattern: { site: 1, name: 1 } });
    // Sparse: any number without the fields. Partial: only among the active.
    await members.insertMany([
      { _id: 5, email: 'e', active: true },
      { _id: 6, email: 'e', active: false },
    ]);
    await expect(members.insertOne({ _id: 7, email: 'e', active: true })).rejects.toMatchObject({
      code: 11000,
    });
    await expect(members.updateOne({ _id: 6 }, { $set: { active: true } })).rejects.toMatchObject({
      code: 11000,
    });
  });

  it('rejects a unique index over duplicates', async () => {
    const twice = client.db('semantics').collection<{ _id: number; key?: number; tags?: string[] }>('twice');
    await twice.insertMany([
      { _id: 1, key: 1, tags: ['a', 'b'] },
      { _id: 2, key: 1, tags: ['b'] },
      { _id: 3 },
    ]);
    await expect(twice.createIndex({ key: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    await expect(twice.createIndex({ tags: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect((await twice.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await twice.insertOne({ _id: 4, key: 1 });
    await twice.deleteMany({ _id: { $in: [2, 4] } });
    await twice.createIndexes([
      { key: { key: 1 }, unique: true },
      { key: { tags: 1 }, unique: true },
    ]);
    await expect(twice.insertOne({ _id: 5, key: 5, tags: ['b'] })).rejects.toMatchObject({ code: 11000 });
  });

  it('finds by $in, ranges, existence, arrays and $or', async () => {
    await members.insertMany([
      { _id: 10, outboxAt: new Date(1000), tags: ['x', 'y'] },
      { _id: 11, outboxAt: new Date(2000), tags: ['y', 'z'] },
      { _id: 12, outboxAt: new Date(3000), tags: [] },
    ]);
    expect(await ids({ _id: { $in: [12, 10, 99] } })).toEqual([10, 12]);
    expect(await ids({ outboxAt: { $lte: new Date(2000) } })).toEqual([10, 11]);
    expect(await ids({ outboxAt: { $gt: new Date(1000), $lt: new Date(3000) } })).toEqual([11]);
    expect(await ids({ outboxAt: { $exists: true } })).toEqual([10, 11, 12]);
    expect(await ids({ _id: { $gte: 10 }, outboxAt: { $exists: false } })).toEqual([]);
    expect(await ids({ tags: { $in: ['x', 'y', 'z'] } })).toEqual([10, 11]);
    expect(await ids({ _id: { $gte: 10 }, tags: { $exists: true } })).toEqual([10, 11, 12]);
    expect(await ids({ $or: [{ _id: 10 }, { tags: 'y' }, { tags: 'z' }] })).toEqual([10, 11]);
    const newest = await members
      .find({ outboxAt: { $exists: true } })
      .sort({ outboxAt: -1 })
      .limit(2)
      .toArray();
    expect(newest.map((member) => member._id)).toEqual([12, 11]);
  });

  it('reports whether an upsert inserted or updated', async () => {
    const upsert = async (): Promise<unknown> => {
      const result = await members.findOneAndUpdate(
        { _id: 20 },
        { $inc: { count: 1 }, $setOnInsert: { site: 20, name: 'up' } },
        { upsert: true, returnDocument: 'after', includeResultMetadata: true },
      );
      return { count: result.value?.count, ...result.lastErrorObject };
    };
    expect(await upsert()).toEqual({ count: 1, n: 1, updatedExisting: false, upserted: 20 });
    expect(await upsert()).toEqual({ count: 2, n: 1, updatedExisting: true });
    const plain = await members.updateOne({ _id: 21 }, { $set: { count: 1 } }, { upsert: true });
    expect(plain).toMatchObject({ upsertedCount: 1, upsertedId: 21, matchedCount: 0 });
  });

  it('updates arrays with $push, $slice, $addToSet and $pull', async () => {
    await members.insertOne({ _id: 30 });
    const entries = [3, 1, 2].map((at) => ({ at }));
    await members.updateOne(
      { _id: 30 },
      { $push: { log: { $each: entries, $sort: { at: 1 }, $slice: -2 } } },
    );
    await members.updateOne({ _id: 30 }, { $addToSet: { tags: { $each: ['n', 'n'] } } });
    expect(await members.findOne({ _id: 30 })).toEqual({ _id: 30, log: [{ at: 2 }, { at: 3 }], tags: ['n'] });
    await members.updateOne({ _id: 30 }, { $pull: { log: { at: { $lt: 3 } }, tags: 'n' } });
    expect(await members.findOne({ _id: 30 })).toEqual({ _id: 30, log: [{ at: 3 }], tags: [] });
  });

  it('stops an ordered bulk write at its first error and counts the successful writes', async () => {
    const bulk = members.bulkWrite([
      { insertOne: { document: { _id: 40 } } },
      { updateOne: { filter: { _id: 40 }, update: { $set: { count: 1 } } } },
      { updateOne: { filter: { _id: 40 }, update: { $set: { site: 1, name: 'ada' } } } },
      { updateOne: { filter: { _id: 40 }, update: { $set: { count: 2 } } } },
    ]);
    await expect(bulk).rejects.toMatchObject({ code: 11000, result: { insertedCount: 1, modifiedCount: 1 } });
    expect(await members.findOne({ _id: 40 })).toEqual({ _id: 40, count: 1 });
    const unordered = members.insertMany([{ _id: 40 }, { _id: 41 }, { _id: 42 }], { ordered: false });
    await expect(unordered).rejects.toMatchObject({ result: { insertedCount: 2 } });
  });

  it('lets one of fifty concurrent writers win a compare-and-set, and loses no increment', async () => {
    await members.insertOne({ _id: 50, count: 0 });
    const writers = Array.from({ length: 50 }, (_, writer) => writer);
    for (let version = 0; version < 5; version++) {
      const results = await Promise.all(
        writers.map(async () => members.updateOne({ _id: 50, count: version }, { $inc: { count: 1 } })),
      );
      expect(results.reduce((sum, result) => sum + result.modifiedCount, 0)).toBe(1);
    }
    await Promise.all(writers.map(async () => members.updateOne({ _id: 50 }, { $inc: { count: 1 } })));
    expect(await members.findOne({ _id: 50 })).toMatchObject({ count: 55 });
  });

  it('lets one of fifty concurrent registrations of a name win', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, i) => members.insertOne({ _id: 100 + i, site: 9, name: 'same' })),
    );
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [codeOf(result.reason)] : [],
    );
    expect(refused).toEqual(Array.from({ length: 49 }, () => 11000));
    expect(await members.countDocuments({ site: 9 })).toBe(1);
  });

  it('never returns a partially updated document', async () => {
    const counters = client.db('semantics').collection<{ _id: number; [field: string]: number }>('counters');
    const fields = Array.from({ length: 200 }, (_, i) => `f${i}`);
    const all = (value: number): Record<string, number> =>
      Object.fromEntries(fields.map((field) => [field, value]));
    await counters.insertOne({ _id: 1, ...all(0) });
    const progress = { writing: true };
    const write = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) await counters.updateOne({ _id: 1 }, { $inc: all(1) });
    };
    const readTorn = async (): Promise<unknown[]> => {
      const torn: unknown[] = [];
      while (progress.writing) {
        const read = await counters.findOne({ _id: 1 });
        if (new Set(fields.map((field) => read?.[field])).size !== 1) torn.push(read);
      }
      return torn;
    };
    const readers = Array.from({ length: 4 }, readTorn);
    await Promise.all(Array.from({ length: 4 }, write));
    progress.writing = false;
    const torn = (await Promise.all(readers)).flat();
    expect(torn).toEqual([]);
  });

  it('drops a database but not one with the same prefix', async () => {
    await client.db('prefix').collection('things').insertOne({ kept: false });
    await client.db('prefix_longer').collection('things').insertOne({ kept: true });
    await client.db('prefix').dropDatabase();
    expect(await client.db('prefix').collection('things').countDocuments()).toBe(0);
    expect(await client.db('prefix_longer').collection('things').countDocuments()).toBe(1);
  });

  it('survives when a database is dropped during writes', async () => {
    const database = client.db('dropped');
    const over = new AbortController();
    const write = async (writer: number): Promise<void> => {
      while (!over.signal.aborted) {
        const collection = database.collection<Member>(`writers${writer % 3}`);
        await collection.updateOne({ _id: writer }, { $inc: { count: 1 } }, { upsert: true });
        await collection.createIndex({ name: 1 });
        await collection.findOne({ name: 'ada' });
      }
    };
    const drop = async (): Promise<void> => {
      for (let round = 0; round < 30; round++) {
        await database.collection<Member>('writers0').insertOne({ _id: 99 });
        await database.dropCollection('writers0');
        await database.dropDatabase();
      }
      over.abort();
    };
    await Promise.all([drop(), ...Array.from({ length: 12 }, async (_, writer) => write(writer))]);
    await database.dropDatabase();
    expect(await database.listCollections().toArray()).toEqual([]);
  });

  it('deletes only expired documents', async () => {
    const codes = client.db('semantics').collection<{ _id: string; at?: Date }>('codes');
    await codes.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await codes.insertMany([
      { _id: 'old', at: new Date(Date.now() - 120_000) },
      { _id: 'fresh', at: new Date() },
      { _id: 'none' },
    ]);
    await until('the old one is gone', async () => (await codes.countDocuments({ _id: 'old' })) === 0);
    expect((await codes.find().toArray()).map((code) => code._id).sort()).toEqual(['fresh', 'none']);
  });

  it('rejects unsupported features by name', async () => {
    const unsupported = { code: 115, message: expect.stringContaining('MONGODB_URL') };
    await expect(members.updateOne({ _id: 1 }, [{ $set: { count: 1 } }])).rejects.toMatchObject(unsupported);
    await expect(
      members.find({ name: 'ADA' }, { collation: { locale: 'en', strength: 2 } }).toArray(),
    ).rejects.toMatchObject(unsupported);
    await expect(members.createIndex({ name: 'text' })).rejects.toMatchObject(unsupported);
    await expect(members.watch().next()).rejects.toMatchObject(unsupported);
  });
});

describe('the embedded database after SIGKILL', () => {
  it('keeps every acknowledged write, indexes and a renamed collection', async () => {
    const acknowledged: number[] = [];
    const written = client.db('durable').collection<{ _id: number; key: string; text: string }>('written');
    await written.createIndex({ key: 1 }, { unique: true });
    await client.db('durable').collection('before').insertOne({ moved: true });
    await client.db('durable').renameCollection('before', 'after');
    let next = 0;
    const text = 'x'.repeat(4_000);
    const write = async (atOnce: number): Promise<void> => {
      for (;;) {
        const some = Array.from({ length: atOnce }, () => next++);
        await written.insertMany(some.map((_id) => ({ _id, key: `key ${_id}`, text })));
        acknowledged.push(...some);
        if (acknowledged.length >= 1_500) engine.kill('SIGKILL');
      }
    };
    // Beside large writes, of which the file gets some before they are whole, and then others' small ones with them.
    await Promise.allSettled([1, 1, 1, 1, 1, 1, 200, 200].map(write));
    await expect(engine.exited).resolves.toContain('SIGKILL');
    await engine.restart();

    const found = new Set((await written.find().toArray()).map((one) => one._id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(1_500);
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    await expect(written.insertOne({ _id: -1, key: 'key 1', text })).rejects.toMatchObject({ code: 11000 });
    expect(await client.db('durable').collection('after').countDocuments()).toBe(1);
  });
});
