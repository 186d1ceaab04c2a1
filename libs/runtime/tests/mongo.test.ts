import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import mongoose, { type Connection } from 'mongoose';
import { reasonText } from '../src/error-text.ts';
import { createHealth } from '../src/health.ts';
import { createLogger } from '../src/logger.ts';
import { connectMongo, mongoReady } from '../src/mongo.ts';

/** Several, because whether one is just about to be asked when its connections end is a matter of chance. */
const clients = 12;
const cuts = 3;

const ask = async (connection: Connection) => connection.collection('nothing').findOne({});

/** Calls one after the other, so that one is always under way. */
async function askOnAndOn(connection: Connection, over: AbortSignal): Promise<void> {
  while (!over.aborted) await ask(connection).catch(() => undefined);
}

describe('a database that ends its connections', () => {
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

  it('is asked again by every client as soon as it is back, and no call waits for ever', async () => {
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

describe('a database that is not there', () => {
  it('is told by what the last try met, to a tool that waits for it', async () => {
    const said: string[] = [];
    const logger = createLogger('test', 'warn', { write: (line) => void said.push(line) });
    // A port of the dynamic range that nothing listens on.
    const url = 'mongodb://127.0.0.1:1';
    const connection = connectMongo({ url, database: 'none', logger, health: createHealth() });
    await until('a try', () => said.length);
    const waited = await mongoReady(connection, 0).catch(reasonText);
    expect(waited).toBe('mongodb did not answer in time: connect ECONNREFUSED 127.0.0.1:1');
    await connection.close();
  });
});

describe('a database that takes long to answer', () => {
  it('is given up after the limit, and waited for without one', async () => {
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

describe('a database that was never reached', () => {
  it('keeps neither a call that was made at once nor the end of its connection waiting', async () => {
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
