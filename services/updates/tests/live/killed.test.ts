import { listen } from '@covalence/runtime/lifecycle';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { testServiceKeys } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { memberKeys } from '../../src/live/member-keys.ts';
import { connectClient, startPublisher, tokenOf, type TestFrame, type TestPublisher } from '../harness.ts';
import { duplicatesIn } from '../duplicates.ts';

/** One process of the service that a test can kill. */
interface Process {
  readonly url: string;
  readonly child: ChildProcess;
}

/** A client over all its sockets, which resumes from the last id. */
interface Client {
  readonly frames: TestFrame[];
  /** The number of sockets that it has opened. */
  sockets(): number;
  /** Resolves when the client has received this many likes. */
  likes(count: number): Promise<void>;
  close(): void;
}

const member = 7;

describe('under load, with two processes', () => {
  const namespace = testNamespace('killed');
  let tokens: TestTokens;
  let keys: Server;
  let redis: Redis;
  let redisProxy: TcpProxy;
  let rabbitProxy: TcpProxy;
  let publisher: TestPublisher;
  const processes: Process[] = [];
  const clients: Client[] = [];
  /** The actors of all likes. */
  const all: number[] = [];
  let nextActor = 1_000;

  const start = async (): Promise<Process> => {
    const free = createServer();
    const port = await listen(free, 0, '127.0.0.1');
    free.close();
    const { port: keysPort } = keys.address() as { port: number };
    const child = spawn(
      process.execPath,
      [
        '--conditions=source',
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, '../../src/main.ts'),
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          PATH: process.env['PATH'],
          PORT: String(port),
          MANAGEMENT_PORT: '0',
          // Says why a process dies by itself.
          LOG_LEVEL: 'error',
          NAMESPACE: namespace,
          PUBLIC_URL: 'http://api.test',
          AUTH_PUBLIC_URL: 'http://auth.test',
          AUTH_URL: `http://127.0.0.1:${keysPort}`,
          PROFILE_URL: 'http://profile.test',
          ...testServiceKeys('updates'),
          REDIS_URL: redisProxy.url,
          RABBITMQ_URL: rabbitProxy.url,
        },
      },
    );
    const url = `http://127.0.0.1:${port}`;
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await until('it listens', answers);
    return { url, child };
  };

  /** Opens a client that connects to the other process when a socket ends, and resumes there. */
  const follow = async (first: number): Promise<Client> => {
    const frames: TestFrame[] = [];
    let at = first;
    const closing = new AbortController();
    let drop: (() => void) | undefined;
    let sockets = 0;
    const open = async (): Promise<void> => {
      const target = processes[at % processes.length];
      at += 1;
      const client = await connectClient(target?.url ?? '', {}, (frame) => frames.push(frame));
      sockets += 1;
      client.send(await tokenOf(tokens, member));
      // A resume is not answered until a frame follows `ready` (docs/clients.md).
      const last = (frames.findLast(({ type }) => type !== 'ready') ?? frames[0])?.id;
      if (last !== undefined) client.send({ type: 'resume', after: last });
      drop = () => client.socket.terminate();
      void client.closed.then(again);
    };
    const again = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        const opened = await open().then(
          () => true,
          () => false,
        );
        if (opened) return;
        await wait(50);
      }
    };
    await again();
    await until('ready', () => frames.some(({ type }) => type === 'ready'));
    return {
      frames,
      sockets: () => sockets,
      async likes(count) {
        await until(
          `${count} likes`,
          () => frames.filter(({ type }) => type === 'like').length >= count,
          20_000,
        );
      },
      close() {
        closing.abort();
        drop?.();
      },
    };
  };

  /** Publishes likes, eight at a time, retrying as the outbox does; resolves with the actors. */
  const load = async (count: number, onPublished?: (published: number) => void): Promise<number[]> => {
    const first = nextActor;
    nextActor += count;
    const actors = Array.from({ length: count }, (_none, index) => first + index);
    let published = 0;
    const work = [...actors];
    const one = async (): Promise<void> => {
      for (let actor = work.shift(); actor !== undefined; actor = work.shift()) {
        const id = await publisher.publish('pair.liked', actor, member).catch(() => undefined);
        if (id === undefined) {
          work.push(actor);
          await wait(50);
        } else onPublished?.((published += 1));
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return actors;
  };

  /** The violations of: every message once, by id and by actor, in order, without a `reset`. */
  const problemsOf = (client: Client, expected: readonly number[]): string[] => {
    const likes = client.frames.filter(({ type }) => type === 'like');
    const actors = likes.map(({ data }) => Number(data['profileid']));
    const numbers = likes.map(({ id }) => Number(id.split('-')[1]));
    const missing = expected.filter((actor) => !actors.includes(actor));
    return [
      ...missing.map((actor) => `missing ${actor}`),
      ...(actors.length > new Set(actors).size ? ['received twice'] : []),
      ...duplicatesIn(client.frames).map((id) => `${id} twice`),
      ...(numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))
        ? ['out of order']
        : []),
      ...(client.frames.some(({ type }) => type === 'reset') ? ['reset'] : []),
    ];
  };

  const pair = async () => {
    clients.push(await follow(0), await follow(1));
  };

  beforeAll(async () => {
    tokens = await createTestTokens();
    keys = createServer((_request, response) => void response.end(JSON.stringify(tokens.jwks)));
    await listen(keys, 0, '127.0.0.1');
    redis = new Redis(testStores().REDIS_URL);
    redisProxy = await createTcpProxy(testStores().REDIS_URL);
    rabbitProxy = await createTcpProxy(testStores().RABBITMQ_URL);
    publisher = await startPublisher(namespace);
    processes.push(...(await Promise.all([start(), start()])));
    await pair();
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    const died = processes.filter(({ child }) => child.exitCode !== null);
    for (const { child } of processes) child.kill('SIGKILL');
    await until('all have ended', () =>
      processes.every(({ child }) => child.exitCode !== null || child.signalCode !== null),
    );
    await publisher.close();
    await Promise.all([redisProxy.close(), rabbitProxy.close()]);
    redis.disconnect();
    keys.close();
    if (died.length) throw new Error(`${died.length} processes died by themselves`);
  });

  it('delivers every message once and in order when a process is killed', async () => {
    let killed = false;
    all.push(
      ...(await load(300, (published) => {
        if (killed || published < 100) return;
        killed = true;
        processes[0]?.child.kill('SIGKILL');
      })),
    );
    for (const client of clients) await client.likes(all.length);
    for (const client of clients) expect(problemsOf(client, all)).toEqual([]);
    processes[0] = await start();
  });

  it('delivers every message once when processes restart one by one', async () => {
    let ending = false;
    all.push(
      ...(await load(300, (published) => {
        if (ending || published < 100) return;
        ending = true;
        processes[1]?.child.kill('SIGTERM');
      })),
    );
    for (const client of clients) await client.likes(all.length);
    for (const client of clients) expect(problemsOf(client, all)).toEqual([]);
    await until('it has ended', () => processes[1]?.child.exitCode !== null);
    expect(processes[1]?.child.exitCode).toBe(0);
    processes[1] = await start();
  });

  /** Publishes likes while an engine cannot be reached for a moment; resolves when it is reachable again. */
  const loadWhileAway = async (engine: TcpProxy) => {
    let cut = false;
    const back = Promise.withResolvers<void>();
    all.push(
      ...(await load(300, (published) => {
        if (cut || published < 100) return;
        cut = true;
        engine.cut();
        setTimeout(() => {
          engine.restore();
          back.resolve();
        }, 300);
      })),
    );
    await back.promise;
  };

  it('delivers every message once when RabbitMQ disconnects', async () => {
    await loadWhileAway(rabbitProxy);
    for (const client of clients) await client.likes(all.length);
    for (const client of clients) expect(problemsOf(client, all)).toEqual([]);
  });

  it('delivers every message once and in order to open sockets when Redis disconnects', async () => {
    const before = clients.map((client) => client.sockets());
    await loadWhileAway(redisProxy);
    for (const client of clients) await client.likes(all.length);
    for (const client of clients) expect(problemsOf(client, all)).toEqual([]);
    expect(clients.map((client) => client.sockets())).toEqual(before);
  });

  /**
   * The violations of a client that was open while the store lost messages: without a `reset` it has every message once; after a
   * `reset` it has the later ones of the history, by id.
   */
  const problemsAfterLoss = (client: Client, stored: readonly string[]): string[] => {
    const { frames } = client;
    const reset = frames.findLastIndex(({ type }) => type === 'reset');
    if (reset < 0) return problemsOf(client, all);
    const place = Number(frames[reset]?.id.split('-')[1]);
    const since = frames.slice(reset + 1).flatMap(({ type, id }) => (type === 'like' ? id : []));
    const wanted = stored.filter((id) => Number(id.split('-')[1]) > place);
    return [
      ...(since.join() === wanted.join()
        ? []
        : [`after ${place}: ${since.join(' ')} and not ${wanted.join(' ')}`]),
      ...duplicatesIn(frames).map((id) => `${id} twice`),
    ];
  };

  it('stores again what Redis lost, and resets clients that need it', async () => {
    const { head, stream, delivered } = memberKeys(namespace, member);
    const from = clients[0]?.frames.findLast(({ type }) => type === 'like')?.id ?? '';
    const before = clients.map((client) => client.sockets());
    const [headBefore, streamBefore] = await Promise.all([redis.dumpBuffer(head), redis.dumpBuffer(stream)]);
    const deliveredBefore = new Set(await redis.keys(delivered('*')));
    const lost = await load(20);
    all.push(...lost);
    for (const client of clients) await client.likes(all.length);
    redisProxy.cut();
    await redis.restore(head, 0, headBefore, 'REPLACE');
    await redis.restore(stream, 0, streamBefore, 'REPLACE');
    await redis.del(...(await redis.keys(delivered('*'))).filter((key) => !deliveredBefore.has(key)));
    redisProxy.restore();
    all.push(...(await load(20)));
    const entries = async () => redis.xrange(stream, '-', '+');
    await until('the lost messages are stored again', async () => {
      const actors = (await entries()).map(([, fields]) =>
        Number(/"profileid":(\d+)/.exec(fields[1] ?? '')?.[1]),
      );
      return all.slice(-40).every((actor) => actors.filter((one) => one === actor).length === 1);
    });
    // A device that was offline since before the loss misses nothing.
    const late = await connectClient(processes[1]?.url ?? '');
    late.send(await tokenOf(tokens, member));
    late.send({ type: 'resume', after: from });
    await late.waitFor('like', 40);
    expect(
      new Set(late.frames.filter(({ type }) => type === 'like').map(({ data }) => data['profileid'])),
    ).toEqual(new Set(all.slice(-40)));
    late.socket.close();
    // A process that reconnects late resets its sockets to the head, so the next message is sent only after they have caught up.
    const position = (await redis.hmget(head, 'epoch', 'number', 'tag')).join('-');
    for (const { frames } of clients)
      await until('the socket has caught up', () => frames.at(-1)?.id.startsWith(position));
    all.push(...(await load(1)));
    const marker = all.at(-1);
    for (const { frames } of clients)
      await until('the next one', () => frames.some(({ data }) => data['profileid'] === marker));
    const epoch = await redis.hget(head, 'epoch');
    const ids = (await entries()).map(
      ([place, fields]) => `${epoch}-${place.split('-')[0]}-${fields[3] ?? ''}`,
    );
    for (const client of clients) expect(problemsAfterLoss(client, ids)).toEqual([]);
    expect(clients.map((client) => client.sockets())).toEqual(before);
  });
});
