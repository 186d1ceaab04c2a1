import type { AfterResponse } from '@covalence/http/after-response';
import type { Logger } from '@covalence/runtime/logger';
import { onFailover, type RedisClient } from '@covalence/runtime/redis';
import { setTimeout } from 'node:timers/promises';

/** Time after one repeat until the next, ms: a cluster tells of the same outage many times. */
const pauseMs = 2_000;

/** Repeats work when Redis may have lost its result, one at a time, until the signal. */
export function repeatAfterLoss(options: {
  readonly redis: RedisClient;
  readonly repeat: () => Promise<void>;
  readonly afterResponse: AfterResponse;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): void {
  const { redis, repeat, afterResponse, logger, signal } = options;
  let isDue = false;
  let isRunning = false;
  const mayRun = () => isDue && redis.status === 'ready' && !signal.aborted;
  const runAll = async () => {
    isRunning = true;
    while (mayRun()) {
      isDue = false;
      try {
        await repeat();
      } catch (error) {
        isDue = true;
        logger.warn({ err: error }, 'repeating flags that Redis may have lost failed: will retry');
      }
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    isRunning = false;
  };
  const lost = () => {
    isDue = true;
  };
  onFailover(redis, lost, () => {
    if (!isRunning && mayRun()) afterResponse.run(runAll());
  });
}
