import { endedFlag, endedMessage } from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import request from 'supertest';
import { v7 } from 'uuid';
import { WebSocket } from 'ws';
import {
  connectClient,
  connectMember,
  startService,
  startPublisher,
  tokenOf,
  type ServiceUnderTest,
} from '../harness.ts';

const from = (address: string) => ({ 'X-Forwarded-For': address });

describe('the life of a socket', () => {
  const namespace = testNamespace('sockets');
  const processes: ServiceUnderTest[] = [];
  let tokens: TestTokens;
  let redis: Redis;

  beforeAll(async () => {
    tokens = await createTestTokens();
    redis = new Redis(testStores().REDIS_URL);
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.close()));
  });
  afterAll(() => redis.disconnect());

  const start = async (environment: Record<string, string> = {}, clock?: () => Date) => {
    const service = await startService('sockets', { namespace, tokens, environment, overrides: { clock } });
    processes.push(service);
    return service;
  };
  /** The number of processes that subscribe to a member's channel. */
  const listeners = async (id: number) =>
    (await redis.pubsub('NUMSUB', redisKeys.live(namespace, id)))[1] as number;
  /** A process whose clock the test sets. */
  const startAhead = async () => {
    const time = { ahead: 0 };
    const { url } = await start({}, () => new Date(Date.now() + time.ahead));
    return { url, pass: (seconds: number) => (time.ahead += seconds * 1_000) };
  };

  it('has the documented defaults', async () => {
    const { context } = await start();
    expect(context.config).toMatchObject({
      TOKEN_WAIT_MS: 10_000,
      HISTORY_LENGTH: 500,
      HISTORY_SECONDS: 86_400,
    });
  });

  it('is closed 4408 when no token comes in time', async () => {
    const { url } = await start({ TOKEN_WAIT_MS: '100' });
    const client = await connectClient(url);
    expect(await client.closed).toBe(4408);
  });

  it.each([
    ['garbage', () => 'hello'],
    ['an empty message', () => ''],
    ['a command before the token', () => JSON.stringify({ type: 'resume', after: 'x' })],
    ['an invalid token', () => 'aaaa.bbbb.cccc'],
    ['an expired token', () => tokenOf(tokens, 1, { lifetime: -1 })],
    ['a staff token', () => tokenOf(tokens, 0, { scope: 'staff' })],
  ])('is closed 4401 on %s', async (_name, first) => {
    const { url } = await start();
    const client = await connectClient(url);
    client.send(await first());
    expect(await client.closed).toBe(4401);
    expect(client.frames).toEqual([]);
  });

  it('accepts the token as bare text or as a message', async () => {
    const { url } = await start();
    const client = await connectClient(url);
    client.send({ type: 'token', token: await tokenOf(tokens, 1) });
    expect(await client.waitFor('ready')).toHaveLength(1);
  });

  it('is closed 4401 when its token expires', async () => {
    const { url, pass } = await startAhead();
    const client = await connectClient(url);
    client.send(await tokenOf(tokens, 1, { lifetime: 600 }));
    await client.waitFor('ready');
    pass(601);
    expect(await client.closed).toBe(4401);
  });

  it('stays open with a new token of the same member', async () => {
    const { url, pass } = await startAhead();
    const memberId = v7();
    const [renewed, left] = await Promise.all([connectClient(url), connectClient(url)]);
    const short = await tokenOf(tokens, 1, { memberId, lifetime: 600 });
    renewed.send(short);
    left.send(short);
    await Promise.all([renewed.waitFor('ready'), left.waitFor('ready')]);
    renewed.send(await tokenOf(tokens, 1, { memberId, lifetime: 6_000 }));
    await renewed.waitFor('ready', 2);
    pass(601);
    expect(await left.closed).toBe(4401);
    expect(renewed.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is closed 4401 on a token of another member, and on a bad one', async () => {
    const service = await start();
    const other = await connectMember(service, tokens, 1);
    other.send(await tokenOf(tokens, 2));
    expect(await other.closed).toBe(4401);
    const bad = await connectMember(service, tokens, 1);
    bad.send('aaaa.bbbb.cccc');
    expect(await bad.closed).toBe(4401);
  });

  it('is refused 4403 for a deactivated member', async () => {
    const { url } = await start();
    await redis.set(redisKeys.deactivated(namespace, 3), '1', 'EX', 60);
    const client = await connectClient(url);
    client.send(await tokenOf(tokens, 3));
    expect(await client.closed).toBe(4403);
    expect(client.frames).toEqual([]);
  });

  it('is closed 4403 on every process when its member is deactivated', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const publisher = await startPublisher(namespace);
    const mine = await Promise.all([one, one, two].map((service) => connectMember(service, tokens, 4)));
    const other = await connectMember(one, tokens, 5);
    await publisher.deactivated(4);
    expect(await Promise.all(mine.map(({ closed }) => closed))).toEqual([4403, 4403, 4403]);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    await publisher.close();
  });

  it('is closed 4403 by the next heartbeat when the event is lost, although another flag is unreadable', async () => {
    const service = await start({ HEARTBEAT_MS: '1000' });
    const client = await connectMember(service, tokens, 6);
    const unknown = await connectMember(service, tokens, 17);
    // As on a server of a cluster that is down.
    const unreadable = redisKeys.deactivated(namespace, 17);
    await redis.lpush(unreadable, 'no flag');
    await redis.set(redisKeys.deactivated(namespace, 6), '1', 'EX', 60);
    expect(await client.closed).toBe(4403);
    expect(unknown.socket.readyState).toBe(WebSocket.OPEN);
    await redis.del(unreadable);
  });

  it('is closed 4401 when its member is suspended, as are sockets with older tokens', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const publisher = await startPublisher(namespace);
    const mine = await Promise.all([one, two].map((service) => connectMember(service, tokens, 9)));
    await publisher.suspended(9);
    expect(await Promise.all(mine.map(({ closed }) => closed))).toEqual([4401, 4401]);
    await publisher.close();
    const soon = Math.floor(Date.now() / 1000) + 10;
    for (const flag of ['ended', `ended:${soon}`]) {
      await redis.set(redisKeys.deactivated(namespace, 9), flag, 'EX', 60);
      const again = await connectClient(one.url);
      again.send(await tokenOf(tokens, 9));
      expect(await again.closed).toBe(4401);
    }
    await redis.set(redisKeys.deactivated(namespace, 9), `ended:${soon - 20}`, 'EX', 60);
    await connectMember(one, tokens, 9);
  });

  it.each(['deactivated', 'suspended'] as const)(
    'ignores a late event that its member was %s before the sign-in',
    async (happened) => {
      const service = await start();
      const publisher = await startPublisher(namespace);
      const member = happened === 'deactivated' ? 31 : 32;
      const client = await connectMember(service, tokens, member);
      await publisher[happened](member, { at: new Date(Date.now() - 60_000).toISOString() });
      await publisher.publish('pair.liked', 33, member);
      expect(await client.waitFor('like')).toHaveLength(1);
      expect(client.socket.readyState).toBe(WebSocket.OPEN);
      await publisher.close();
    },
  );

  it('is closed 4401 on every process when its sign-in ends, unlike other sign-ins of the member', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const families = [
      [one, 'f1'],
      [two, 'f1'],
      [two, 'f2'],
    ] as const;
    const clients = await Promise.all(
      families.map(async ([{ url }, family]) => {
        const client = await connectClient(url);
        client.send(await tokenOf(tokens, 14, { family }));
        await client.waitFor('ready');
        return client;
      }),
    );
    const [first, second, other] = clients;
    await redis.publish(redisKeys.live(namespace, 14), endedMessage('f1'));
    expect([await first?.closed, await second?.closed]).toEqual([4401, 4401]);
    expect(other?.socket.readyState).toBe(WebSocket.OPEN);
  });

  it.each(['family', 'client'] as const)(
    'is closed 4401 by the next heartbeat when the end of a %s is missed',
    async (kind) => {
      const service = await start({ HEARTBEAT_MS: '1000' });
      const id = kind === 'family' ? 15 : 16;
      const client = await connectClient(service.url);
      client.send(await tokenOf(tokens, id, { family: `of-${kind}`, clientId: 'c3' }));
      await client.waitFor('ready');
      const other = await connectMember(service, tokens, id);
      await redis.set(
        redisKeys.ended(namespace, kind, kind === 'family' ? 'of-family' : 'c3'),
        endedFlag,
        'EX',
        60,
      );
      expect(await client.closed).toBe(4401);
      expect(other.socket.readyState).toBe(WebSocket.OPEN);
    },
  );

  it('does not show the member online with a token of an ended sign-in', async () => {
    const { url } = await start();
    await redis.set(redisKeys.ended(namespace, 'family', 'over'), endedFlag, 'EX', 60);
    const client = await connectClient(url);
    client.send(await tokenOf(tokens, 34, { family: 'over' }));
    expect(await client.closed).toBe(4401);
    const keys = [redisKeys.seen(namespace), redisKeys.present(namespace)];
    expect(await Promise.all(keys.map((key) => redis.zscore(key, 34)))).toEqual([null, null]);
  });

  it('is refused 1013 beyond the limit of a member', async () => {
    const service = await start({ SOCKETS_PER_MEMBER: '2' });
    const first = await connectMember(service, tokens, 13);
    await connectMember(service, tokens, 13);
    const third = await connectClient(service.url);
    third.send(await tokenOf(tokens, 13));
    expect(await third.closed).toBe(1013);
    first.socket.close();
    await first.closed;
    await until('room again', () => service.context.sockets.registry.of(13).length === 1);
    await connectMember(service, tokens, 13);
  });

  it('is refused 429 beyond the limit of an address', async () => {
    const { url } = await start({ SOCKETS_PER_ADDRESS: '1' });
    await connectClient(url, from('203.0.113.1'));
    await connectClient(url, from('203.0.113.2'));
    await connectClient(url, from('2001:db8:1:2::1'));
    // One customer has all addresses of a /64.
    for (const address of ['203.0.113.1', '2001:db8:1:2:3:4:5:6']) {
      const refused = new WebSocket(`${url.replace('http', 'ws')}/ws/updates`, { headers: from(address) });
      const [error] = (await once(refused, 'error')) as [Error];
      expect(error.message).toContain('429');
    }
    await connectClient(url, from('2001:db8:1:3::1'));
  });

  it('is refused 503 beyond the limit of the process', async () => {
    const service = await start({ SOCKETS_PER_PROCESS: '2' });
    const first = await connectClient(service.url, from('203.0.113.1'));
    await connectClient(service.url, from('203.0.113.2'));
    const refused = new WebSocket(`${service.url.replace('http', 'ws')}/ws/updates`);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('503');
    first.socket.close();
    await until('room again', () => service.context.sockets.registry.size === 1);
    await connectClient(service.url, from('203.0.113.3'));
  });

  it('is closed 1001 when the process shuts down, which then accepts no more', async () => {
    const service = await start();
    const clients = await Promise.all([14, 15, 15].map((id) => connectMember(service, tokens, id)));
    service.context.health.accepting = false;
    await service.goAway();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001, 1001]);
    const refused = new WebSocket(`${service.url.replace('http', 'ws')}/ws/updates`);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('503');
  });

  it('is closed 1013 when Redis is down', async () => {
    const service = await start();
    await service.context.close();
    const client = await connectClient(service.url);
    client.send(await tokenOf(tokens, 16));
    expect(await client.closed).toBe(1013);
  });

  it('leaves no subscription, entry or count behind', async () => {
    const service = await start();
    const clients = await Promise.all([17, 17, 18].map((id) => connectMember(service, tokens, id)));
    for (const { socket } of clients) socket.terminate();
    await until('none is left', () => service.context.sockets.registry.size === 0);
    expect(service.context.sockets.registry.members()).toEqual([]);
    await until('no channel is subscribed', async () => {
      const channels = await redis.pubsub('CHANNELS', `${namespace}:live:*`);
      return channels.length === 0;
    });
    expect(await service.context.metrics.registry.metrics()).toMatch(/sockets_open\{service="updates"\} 0/);
  });

  it('leaves no subscription behind when it ends while Redis is down, so that its member gets push messages', async () => {
    const proxy = await createTcpProxy(testStores().REDIS_URL);
    const service = await start({ REDIS_URL: proxy.url });
    const [ending, staying] = await Promise.all([19, 20].map((id) => connectMember(service, tokens, id)));
    proxy.cut();
    ending?.socket.close();
    await until('it is gone', () => service.context.sockets.registry.of(19).length === 0);
    proxy.restore();
    await until('the other one is heard again', async () => (await listeners(20)) === 1);
    expect(await listeners(19)).toBe(0);
    expect(staying?.socket.readyState).toBe(WebSocket.OPEN);
    await service.close();
    processes.length = 0;
    await proxy.close();
  });

  it('answers 404 for other paths, also for an upgrade', async () => {
    const { url } = await start();
    await request(url).get('/ws/updates').expect(404, { fail: 'Not Found' });
    await request(url).get('/internal/x').expect(404);
    const refused = new WebSocket(`${url.replace('http', 'ws')}/ws/other`);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});
