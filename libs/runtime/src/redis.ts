import { Cluster, Redis, type RedisOptions as ConnectionOptions } from 'ioredis';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';
import { readRedisAddress, type RedisAddress } from './redis-address.ts';

/** A client of one server, which Sentinels may name, or of a cluster. In a cluster, the keys of one command share a hash slot. */
export type RedisClient = Redis | Cluster;

/** Options of a client. */
export interface RedisOptions {
  /** e.g. redis://127.0.0.1:6379; redis-address.ts has the other forms. */
  readonly url: string;
  readonly logger: Logger;
  readonly health?: Health;
  /** Time limit of a command, ms; default 3,000. Use less if a fallback is better than waiting. */
  readonly commandTimeoutMs?: number;
  /** A connection without an answer for this long counts as dead, ms; default 10,000, with Sentinels 4,000: then another server has taken over. */
  readonly deadAfterMs?: number;
}

/** Delay before the next connection, ms. */
export const reconnectDelay = (attempt: number): number => Math.min(attempt * 100, 2_000);

/** Interval at which a cluster is asked which server has which keys, ms. */
const topologyEveryMs = 2_000;
/** Delay of a command before it is sent again to the server that took over, ms. */
const failoverRetryMs = 100;

/** Least time between two attempts to find a primary that takes writes, ms. Meanwhile the present one is read. */
const replacedEveryMs = 2_000;

/** Whether to reconnect after an error: a primary without replicas may have been replaced, although it still answers. */
function createReplacementCheck(): (error: Error) => boolean {
  let next = 0;
  return ({ message }) => {
    if (!message.includes('NOREPLICAS ') || performance.now() < next) return false;
    next = performance.now() + replacedEveryMs;
    return true;
  };
}

const loginOf = ({ login, isEncrypted }: Exclude<RedisAddress, { form: 'server' }>): ConnectionOptions => ({
  ...login,
  ...(isEncrypted && { tls: {} }),
});

function connect(
  address: RedisAddress,
  options: ConnectionOptions & { commandTimeout: number },
): RedisClient {
  const single = {
    ...options,
    enableOfflineQueue: false,
    // Commands in flight when the connection ends fail. Otherwise they would be sent after a reconnect: later than their time limit, and
    // before what was written earlier and is lost.
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectDelay,
    reconnectOnError: createReplacementCheck(),
  };
  if (address.form === 'server') return new Redis(address.url, single);
  if (address.form === 'sentinel') {
    const { sentinels, name, sentinelLogin, isEncrypted } = address;
    return new Redis({
      ...single,
      ...loginOf(address),
      sentinels: [...sentinels],
      name,
      ...(sentinelLogin.username && { sentinelUsername: sentinelLogin.username }),
      ...(sentinelLogin.password && { sentinelPassword: sentinelLogin.password }),
      ...(isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      sentinelCommandTimeout: options.commandTimeout,
      sentinelRetryStrategy: reconnectDelay,
    });
  }
  return new Cluster([...address.nodes], {
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshInterval: topologyEveryMs,
    retryDelayOnFailover: failoverRetryMs,
    retryDelayOnClusterDown: failoverRetryMs,
    // A command is sent again, within its time limit.
    maxRedirections: Math.min(16, Math.max(2, Math.floor(options.commandTimeout / failoverRetryMs))),
    // Certificates are for names.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: { ...options, ...loginOf(address) },
  });
}

/**
 * Creates a client that reconnects with bounded delays. Commands fail at once when the connection ends and while Redis is down, so
 * that callers can answer 503 or use a fallback; in a cluster, those of a server that is down are repeated for a second or two, in
 * which its replica may take over.
 */
export function connectRedis({
  url,
  logger,
  health,
  commandTimeoutMs = 3_000,
  deadAfterMs,
}: RedisOptions): RedisClient {
  const address = readRedisAddress(url);
  if (!address) throw new TypeError('not an address of Redis');
  const client = connect(address, {
    // Subscribers resubscribe themselves: the library would also restore subscriptions that were dropped
    // during the outage.
    autoResubscribe: false,
    connectTimeout: 3_000,
    // Time that a disconnect may delay the exit of the process.
    disconnectTimeout: 100,
    commandTimeout: commandTimeoutMs,
    // TCP would retry for a quarter of an hour when a machine disappears.
    socketTimeout: deadAfterMs ?? (address.form === 'sentinel' ? 4_000 : 10_000),
  });
  client.on('error', (error: unknown) => logger.warn({ err: error }, 'redis connection'));
  // Of one server of a cluster, at each attempt.
  client.on('node error', (error: unknown) => logger.debug({ err: error }, 'redis connection'));
  health?.add('redis', () => client.ping());
  return client;
}

/** The servers that take writes: one, or the primaries of a cluster. */
export const primariesOf = (redis: RedisClient): Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

/** `host:port` of a server of a cluster. */
export const serverName = ({ options: { host, port } }: Redis): string => `${host}:${port}`;

/** A cluster would send an ordinary message to all its servers and count the receivers at one. */
export const publishCommand = (redis: RedisClient): 'publish' | 'spublish' =>
  redis instanceof Cluster ? 'spublish' : 'publish';

/** Publishes to a channel; resolves with the number of connections that receive it. */
export async function publish(redis: RedisClient, channel: string, text: string): Promise<number> {
  return redis instanceof Cluster
    ? Number(await redis.spublish(channel, text))
    : redis.publish(channel, text);
}

/**
 * Calls `lost` when Redis may have lost what it acknowledged in the last seconds, because a server restarted or its replica took
 * over, and `back` when it is worth writing again, which may fail.
 */
export function onFailover(redis: RedisClient, lost: () => void, back: () => void): void {
  redis.on('close', lost);
  redis.on('ready', back);
  if (!(redis instanceof Cluster)) return;
  // Each attempt to reach a server that is down is a connection that ends, too.
  const opened = new WeakSet<object>();
  const follow = (node: Redis) =>
    node.status === 'ready' ? opened.add(node) : node.once('ready', () => opened.add(node));
  for (const node of redis.nodes()) follow(node);
  redis.on('+node', follow);
  redis.on('-node', (node: Redis) => {
    if (opened.has(node)) lost();
  });
  let primaries = '';
  redis.on('refresh', () => {
    const now = primariesOf(redis).map(serverName).toSorted().join(' ');
    if (now !== primaries && primaries !== '') lost();
    primaries = now;
    back();
  });
}

/** Identifies the processes that take writes: another value after a restart or a failover, when older writes may be missing. */
export async function serversOf(redis: RedisClient): Promise<string> {
  const facts = await Promise.all(primariesOf(redis).map((server) => server.info('server')));
  return facts
    .map((text) => /^run_id:(\w+)/m.exec(text)?.[1] ?? '')
    .toSorted()
    .join(' ');
}
