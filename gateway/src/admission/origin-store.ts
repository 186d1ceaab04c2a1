import { isRegisteredRedirect } from '@covalence/contract/redirect-uri';
import { redisKeys } from '@covalence/contract/redis-keys';
import type { Logger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { z } from 'zod';

const refreshMs = 5_000;

const storedOrigins = z.array(z.string());

/** The origins of public clients, read from Redis at each connection and every 5 seconds. Without it the last ones stay. */
export function createOriginStore(options: {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly logger: Logger;
}) {
  const { redis, namespace, logger } = options;
  let origins: readonly string[] = [];
  const refresh = async () => {
    const text = await redis.get(redisKeys.origins(namespace));
    if (text !== null) origins = storedOrigins.parse(JSON.parse(text));
  };
  const refreshSoon = () =>
    void refresh().catch((error: unknown) => logger.debug({ err: error }, 'origins of clients not read'));
  if (redis.status === 'ready') refreshSoon();
  redis.on('ready', refreshSoon);
  const timer = setInterval(refreshSoon, refreshMs).unref();
  return {
    /** Whether a public client runs in pages of this origin; that of a loopback address may have any port. */
    isRegistered: (origin: string): boolean => isRegisteredRedirect(origin, origins, true),
    refresh,
    close: () => {
      clearInterval(timer);
      redis.off('ready', refreshSoon);
    },
  };
}
