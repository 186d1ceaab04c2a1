import { fuzzing } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mongo } from 'mongoose';
import type { Engine } from '../../src/engines/engine.ts';
import { findEmbeddedMongodb, mongodbEngine } from '../../src/engines/mongodb-engine.ts';
import { removeFolder, startEmbedded, testOptions } from './test-folder.ts';

interface Stored {
  _id: number;
  a?: unknown;
  b?: unknown;
  c?: unknown;
  e?: unknown;
}

const options = testOptions();
let engine: Engine;
let client: mongo.MongoClient;
let indexed: mongo.Collection<Stored>;
let plain: mongo.Collection<Stored>;

beforeAll(async () => {
  engine = await startEmbedded(mongodbEngine, findEmbeddedMongodb, options);
  client = new mongo.MongoClient(engine.url);
  indexed = client.db('indexes').collection('indexed');
  plain = client.db('indexes').collection('plain');
  await indexed.createIndexes([
    { key: { a: 1, _id: 1 } },
    { key: { e: 1 } },
    { key: { b: 1, e: 1 } },
    { key: { b: 1, a: -1 } },
    { key: { b: 1, 'c.d': 1 }, sparse: true, name: 'sparse' },
    { key: { 'c.d': 1 }, sparse: true },
    { key: { a: 1 }, name: 'ones', partialFilterExpression: { a: 1 } },
    { key: { e: 1 }, name: 'of a b', partialFilterExpression: { b: 1 } },
    { key: { b: 1, 'c.d': 1, _id: 1 }, partialFilterExpression: { 'c.d': { $exists: true } } },
  ]);
});

afterAll(async () => {
  await client.close();
  await engine.stop();
  removeFolder(options);
});

// Few values, so that documents and queries meet often.
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 }) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('x', 1.5, true, new Date(5), new Date(9)) },
);
const value = fc.oneof(
  { weight: 2, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { minLength: 1, maxLength: 3 }) },
);
const embedded = fc.record({ d: scalar });
const document = fc.record(
  {
    a: value,
    b: scalar,
    c: fc.oneof(embedded, fc.array(embedded, { maxLength: 2 })),
    e: fc.array(scalar, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const documents = fc.array(document, { minLength: 5, maxLength: 10 });

const range = fc
  .uniqueArray(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), { minLength: 1, maxLength: 2 })
  .chain((operators) => fc.tuple(...operators.map((operator) => fc.tuple(fc.constant(operator), scalar))))
  .map((bounds) => Object.fromEntries(bounds));
const condition = fc.oneof(
  scalar,
  range,
  fc.record({ $in: fc.array(scalar, { maxLength: 4 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $ne: scalar }),
  fc.record({ $eq: scalar }),
);
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', 'e', '_id'), condition, { maxKeys: 3 });
const filter = fc.oneof(
  { weight: 4, arbitrary: fields },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(fields, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $and: fc.array(fields, { minLength: 1, maxLength: 2 }), b: scalar }) },
);
// Only fields without arrays order documents by a value that can be compared here.
const order = fc.constantFrom<mongo.Sort>(
  { b: 1 },
  { b: -1 },
  { _id: 1 },
  { _id: -1 },
  { a: 1, _id: 1 },
  { a: -1, _id: -1 },
);
const query = fc.record({ filter, order, limit: fc.constantFrom(0, 2) });
const queries = fc.array(query, { minLength: 15, maxLength: 25 });

interface Query {
  filter: object;
  order: mongo.Sort;
  limit: number;
}

/** The values documents are ordered by, and without a limit also which documents they are. */
async function answer(
  collection: mongo.Collection<Stored>,
  { filter, order, limit }: Query,
): Promise<unknown> {
  const found = await collection.find(filter).sort(order).limit(limit).toArray();
  const counted = limit === 0 ? await collection.countDocuments(filter) : found.length;
  const ordered = 'b' in (order as object) ? found.map((one) => one.b ?? null) : found;
  const which = limit === 0 ? found.map((one) => one._id).sort((one, other) => one - other) : [];
  return { counted, ordered, which };
}

describe('the indexes of the embedded database', () => {
  it('do not change the results of a query or their order', async () => {
    await fc.assert(
      fc.asyncProperty(documents, queries, async (stored, asked) => {
        await indexed.deleteMany({});
        await plain.deleteMany({});
        for (const [_id, one] of stored.entries()) {
          await plain.insertOne({ _id, ...one });
          await indexed.insertOne({ _id, a: 'before' });
          await indexed.replaceOne({ _id }, one);
        }
        const answers = async (collection: mongo.Collection<Stored>): Promise<unknown[]> =>
          Promise.all(asked.map(async (query) => answer(collection, query)));
        expect(await answers(indexed)).toEqual(await answers(plain));
      }),
      fuzzing(40),
    );
  });
});
