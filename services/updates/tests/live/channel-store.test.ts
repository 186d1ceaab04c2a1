import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChannelStore, type ChannelStore, type Listener } from '../../src/live/channel-store.ts';

const member = 7;
const commandTimeoutMs = 300;

describe('a channel', () => {
  const namespace = testNamespace('channels');
  const logger = createLogger('test', 'silent');
  let proxy: TcpProxy;
  let subscriber: RedisClient;
  let publisher: RedisClient;
  let channels: ChannelStore;

  beforeAll(async () => {
    proxy = await createTcpProxy(testStores().REDIS_URL);
    subscriber = connectRedis({ url: proxy.url, logger, commandTimeoutMs, deadAfterMs: 1_000 });
    publisher = connectRedis({ url: testStores().REDIS_URL, logger });
    channels = createChannelStore({ subscriber, publisher, namespace, logger });
    await until('redis', () => subscriber.status === 'ready' && publisher.status === 'ready');
  });
  afterAll(async () => {
    subscriber.disconnect();
    publisher.disconnect();
    await proxy.close();
  });

  /** A listener that records its calls, by name. */
  const listen = async () => {
    const heard: string[] = [];
    const note = (what: string) => () => void heard.push(what);
    const listener: Listener = {
      onMessage: note('message'),
      onEphemeral: (_tag, payload) => void heard.push(payload),
      onLockout: note('lockout'),
      onFamilyEnded: note('ended'),
      onDisconnect: note('disconnect'),
      onReconnect: note('reconnect'),
    };
    await channels.join(member, listener);
    return heard;
  };

  it('is subscribed again when Redis was too slow after a reconnect', async () => {
    const heard = await listen();
    subscriber.prependOnceListener('ready', () => proxy.slow(commandTimeoutMs * 2));
    // Until the failure is noticed.
    logger.warn = () => proxy.restore();
    proxy.end();
    await until('the reconnect', () => heard.includes('reconnect'));
    await channels.publishEphemeral([member], 'news');
    await until('what is published to be heard', () => heard.includes('news'));
    expect(heard.at(-1)).toBe('news');
  });

  it('is subscribed again when a dead connection to Redis never closed', async () => {
    const heard = await listen();
    // The delay now applies to everything on this connection; new connections are not affected.
    proxy.slow(3_600_000);
    await channels.publishEphemeral([member], 'missed');
    await until('the proxy to hold it back', () => proxy.isHolding());
    proxy.restore();
    channels.check();
    await until('the reconnect', () => heard.includes('reconnect'));
    await channels.publishEphemeral([member], 'news');
    await until('what is published to be heard', () => heard.includes('news'));
    expect(heard).toEqual(['disconnect', 'reconnect', 'news']);
  });
});
