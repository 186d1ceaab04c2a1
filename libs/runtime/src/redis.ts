import { Redis } from 'ioredis';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';

/** Options of a client. */
export interface RedisOptions {
  /** e.g. redis://127.0.0.1:6379 */
  readonly url: string;
  readonly logger: Logger;
  readonly health?: Health;
  /** Time limit of a command, ms; default 3,000. Use less if a fallback is better than waiting. */
  readonly commandTimeoutMs?: number;
  /** A connection without an answer for this long counts as dead, ms; default 10,000. */
  readonly deadAfterMs?: number;
}

/**
 * Creates a client that reconnects with bounded delays. Commands fail at once while Redis is down, so that
 * callers can answer 503 or use a fallback.
 */
export function connectRedis({
  url,
  logger,
  health,
  commandTimeoutMs = 3_000,
  deadAfterMs = 10_000,
}: RedisOptions): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    // Subscribers resubscribe themselves: the library would also restore subscriptions that were dropped
    // during the outage.
    autoResubscribe: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 3_000,
    // How long a disconnect may delay the exit of the process.
    disconnectTimeout: 100,
    commandTimeout: commandTimeoutMs,
    // TCP would retry for a quarter of an hour when a machine disappears.
    socketTimeout: deadAfterMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  client.on('error', (error: unknown) => logger.warn({ err: error }, 'redis connection'));
  health?.add('redis', () => client.ping());
  return client;
}
