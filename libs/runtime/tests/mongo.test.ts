import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReplicaSet, type Election, type Fate, type ReplicaSet } from '@covalence/testing/replica-set';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import mongoose, { type Connection } from 'mongoose';
import { reasonText } from '../src/error-text.ts';
import { createHealth } from '../src/health.ts';
import { createLogger } from '../src/logger.ts';
import { connectMongo, mongoReady } from '../src/mongo.ts';
import { isUnavailableError } from '../src/unavailable-error.ts';

/** Several clients: whether one is about to send when its connections close is random. */
const clients = 12;
const cuts = 3;

const ask = async (connection: Connection) => connection.collection('nothing').findOne({});

/** Sequential calls, so that one is always in progress. */
async function askOnAndOn(connection: Connection, over: AbortSignal): Promise<void> {
  while (!over.aborted) await ask(connection).catch(() => undefined);
}

describe('a database that closes its connections', () => {
  let proxy: TcpProxy;
  let connections: Connection[];
  const over = new AbortController();

  beforeAll(async () => {
    proxy = await createTcpProxy(testStores().MONGODB_URL);
    const database = testNamespace('mongo');
    connections = Array.from({ length: clients }, () =>
      connectMongo({
        url: proxy.url,
        database,
        logger: createLogger('test', 'silent'),
        health: createHealth(),
      }),
    );
    await Promise.all(connections.map((connection) => mongoReady(connection)));
  });
  afterAll(async () => {
    over.abort();
    await Promise.all(connections.map((connection) => connection.close()));
    await proxy.close();
  });

  it('is used again by every client after its return, and no call hangs', async () => {
    const asking = connections.map((connection) => askOnAndOn(connection, over.signal));
    for (let cut = 0; cut < cuts; cut += 1) {
      proxy.end();
      await Promise.all(
        connections.map((connection, number) =>
          until(`client ${number} after cut ${cut}`, async () => (await ask(connection)) === null),
        ),
      );
    }
    over.abort();
    await expect(Promise.all(asking)).resolves.toHaveLength(clients);
  });
});

describe('an unreachable database', () => {
  it('is reported with the last connection error', async () => {
    const said: string[] = [];
    const logger = createLogger('test', 'warn', { write: (line) => void said.push(line) });
    // A dynamic port without a listener.
    const url = 'mongodb://127.0.0.1:1';
    const connection = connectMongo({ url, database: 'none', logger, health: createHealth() });
    await until('a try', () => said.length);
    const waited = await mongoReady(connection, 0).catch(reasonText);
    expect(waited).toBe('mongodb did not answer in time: connect ECONNREFUSED 127.0.0.1:1');
    await connection.close();
  });
});

describe('a slow database', () => {
  it('times out after the limit, and never without one', async () => {
    const proxy = await createTcpProxy(testStores().MONGODB_URL);
    const options = { url: proxy.url, database: testNamespace('mongo'), health: createHealth() };
    const [limited, patient] = [100, 0].map((answerLimitMs) =>
      connectMongo({ ...options, logger: createLogger('test', 'silent'), answerLimitMs }),
    );
    if (!limited || !patient) throw new Error('no connections');
    await Promise.all([mongoReady(limited), mongoReady(patient)]);
    proxy.slow(300);
    await expect(ask(limited)).rejects.toThrow('timed out');
    expect(await ask(patient)).toBeNull();
    proxy.restore();
    await Promise.all([limited.close(), patient.close()]);
    await proxy.close();
  });
});

describe('a database that never answered', () => {
  it('fails early calls at once, and its connection can be closed', async () => {
    const logged: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void logged.push(line) });
    const options = { database: 'none', logger, health: createHealth() };
    const connection = connectMongo({ url: 'mongodb://127.0.0.1:1', ...options });
    const asked = ask(connection).catch((error: unknown) => String(error));
    await until('it is being tried', () => connection.readyState === mongoose.ConnectionStates.connecting);
    const closed = connection.close().then(() => 'closed');
    expect(await Promise.race([asked, closed])).toContain('before initial connection is complete');
    expect(await closed).toBe('closed');
    expect(logged).toEqual([]);
  });
});

const outcomeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isUnavailableError(error) ? 'unavailable' : String(error)),
  );

/** Options of an address that must not apply. */
const weak = {
  w: '1',
  journal: 'false',
  retryWrites: 'false',
  readConcernLevel: 'local',
  readPreference: 'secondaryPreferred',
};

describe('a replica set that elects another primary', () => {
  let set: ReplicaSet;
  let connection: Connection;
  const things = () => connection.collection<{ _id: string; count: number }>('things');

  beforeAll(async () => {
    set = await createReplicaSet(testStores().MONGODB_URL);
    const logger = createLogger('test', 'silent');
    const database = testNamespace('mongo');
    const url = `${set.url}&${new URLSearchParams(weak).toString()}`;
    connection = connectMongo({ url, database, logger, health: createHealth() });
    await mongoReady(connection);
  });
  afterAll(async () => {
    await connection.close();
    await set.close();
  });

  /** Increments a document for each fate, whose write the primary then has; resolves with each outcome and what is stored. */
  async function incrementDuring(
    election: Pick<Election, 'how'> & { readonly fates: readonly Fate[] },
    increment: (_id: string) => Promise<unknown>,
  ): Promise<readonly (readonly [Fate, outcome: string, count: number | undefined])[]> {
    const { fates } = election;
    const ids = fates.map((fate, at) => `${increment.name} ${fate} ${at}`);
    await things().insertMany(ids.map((_id) => ({ _id, count: 0 })));
    set.hold();
    const begun: Promise<string>[] = [];
    for (const [at, _id] of ids.entries()) {
      begun.push(outcomeOf(increment(_id)));
      await until('it is held', () => set.held() === at + 1);
    }
    await set.elect({ ...election, ms: 20 });
    const outcomes = await Promise.all(begun);
    const found = await things().find().toArray();
    return fates.map((fate, at) => [
      fate,
      outcomes[at] ?? '',
      found.find(({ _id }) => _id === ids[at])?.count,
    ]);
  }
  const change = { $inc: { count: 1 } };
  const one = (_id: string) => things().findOneAndUpdate({ _id }, change);
  const many = (_id: string) => things().updateMany({ _id }, change);

  it('executes a write to one document once, and calls one to many unavailable', async () => {
    const fates = ['refused', 'unconfirmed', 'rolled back'] as const;
    expect(await incrementDuring({ how: 'step down', fates }, one)).toEqual([
      ['refused', 'done', 1],
      ['unconfirmed', 'done', 1],
      ['rolled back', 'done', 1],
    ]);
    expect(await incrementDuring({ how: 'step down', fates }, many)).toEqual([
      ['refused', 'unavailable', 0],
      ['unconfirmed', 'unavailable', 1],
      ['rolled back', 'unavailable', 0],
    ]);
  });

  it('executes no write twice when the primary is killed, and calls those unavailable that are not repeated', async () => {
    // The driver repeats only the first of the writes whose connections close together.
    expect(await incrementDuring({ how: 'kill', fates: ['unheard', 'lost', 'unheard'] }, one)).toEqual([
      ['unheard', expect.stringMatching(/^(done|unavailable)$/), 1],
      ['lost', 'done', 1],
      ['unheard', expect.stringMatching(/^(done|unavailable)$/), 1],
    ]);
    expect(await incrementDuring({ how: 'kill', fates: ['unheard', 'lost'] }, many)).toEqual([
      ['unheard', 'unavailable', 1],
      ['lost', 'unavailable', 0],
    ]);
  });

  it('calls a cursor that ended with its process unavailable', async () => {
    await things().insertMany(['a', 'b', 'c'].map((_id) => ({ _id, count: 0 })));
    const cursor = things().find({}, { batchSize: 1 });
    await cursor.next();
    await set.elect({ how: 'kill', ms: 20, gatherMs: 0 });
    expect(await outcomeOf(cursor.next())).toBe('unavailable');
  });

  it('is asked for nothing that another primary might not have, whatever the address says', () => {
    expect(set.unsafe()).toEqual([]);
  });
});
