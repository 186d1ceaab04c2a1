import { Redis } from 'ioredis';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';

/** Where Redis is. */
export interface RedisOptions {
  /** e.g. redis://127.0.0.1:6379 */
  readonly url: string;
  readonly logger: Logger;
  readonly health?: Health;
  /** Milliseconds that a command may take; default 3,000. Less where a fallback is better than waiting. */
  readonly commandTimeoutMs?: number;
}

/** How long nothing may come on a connection after a command until it is taken for dead, in milliseconds. */
const deadAfterMs = 10_000;

/**
 * A Redis client that reconnects by itself with a bounded delay. A command fails at once while Redis is away
 * instead of waiting in a queue, so that the caller can answer 503 or take its fallback.
 */
export function connectRedis({ url, logger, health, commandTimeoutMs = 3_000 }: RedisOptions): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    // Who subscribes does so again: the library would also subscribe what was left while Redis was away.
    autoResubscribe: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 3_000,
    // The library waits so long for the end of a connection, also of one that has ended already, and keeps the process meanwhile.
    disconnectTimeout: 100,
    commandTimeout: commandTimeoutMs,
    // A machine that is gone says nothing, and TCP tries for a quarter of an hour while another one stands at its address.
    socketTimeout: deadAfterMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  client.on('error', (error: unknown) => logger.warn({ err: error }, 'redis connection'));
  health?.add('redis', () => client.ping());
  return client;
}
