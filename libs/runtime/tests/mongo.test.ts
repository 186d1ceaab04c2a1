import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import mongoose, { type Connection } from 'mongoose';
import { reasonText } from '../src/error-text.ts';
import { createHealth } from '../src/health.ts';
import { createLogger } from '../src/logger.ts';
import { connectMongo, mongoReady } from '../src/mongo.ts';

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
          until(`client ${number} after cut ${cut}`, async () => (await ask(connection)) === null, 15_000),
        ),
      );
    }
    over.abort();
    await expect(Promise.all(asking)).resolves.toHaveLength(clients);
  }, 60_000);
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
