import { systemClock, type Clock } from './clock.ts';
import { createHealth } from './health.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createSecurityLog } from './security-events.ts';

/** The parts of every service that tests replace. */
export interface BaseOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** The clock, log, metrics and health of a service. */
export type ServiceBase = Readonly<ReturnType<typeof createServiceBase>>;

/** Creates what every service is built on. */
export function createServiceBase(
  name: string,
  { LOG_LEVEL }: { readonly LOG_LEVEL: string },
  overrides: BaseOverrides,
) {
  const {
    clock = systemClock,
    logger = createLogger(name, LOG_LEVEL),
    metrics = createMetrics(name),
  } = overrides;
  return { clock, logger, metrics, health: createHealth(), security: createSecurityLog(logger, metrics) };
}
