import { connectBroker, type Broker } from '@covalence/events/broker';
import { createBearerVerifier, type BearerVerifier } from '@covalence/http/bearer';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectRedis } from '@covalence/runtime/redis';
import type { Config } from './config.ts';
import { createChannelStore, type ChannelStore } from './live/channel-store.ts';
import { createHistoryStore, type HistoryStore } from './live/history-store.ts';
import { createMemberStateStore, type MemberStateStore } from './member-state-store.ts';
import { createRegistry, type Registry } from './sockets/registry.ts';

/** Everything that the live-updates service works with. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly bearer: BearerVerifier;
  readonly broker: Broker;
  readonly channels: ChannelStore;
  readonly history: HistoryStore;
  readonly memberStates: MemberStateStore;
  readonly registry: Registry;
  close(): Promise<void>;
}

/** What tests put in place of the real thing. */
export interface Overrides {
  readonly bearer?: BearerVerifier;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Heartbeats that a member counts as present for after the last one. */
const presentBeats = 3;

/**
 * Connects to Redis, twice because a subscribed connection takes no other commands, and to RabbitMQ. Readiness asks for
 * Redis only: without RabbitMQ sockets still open and resume, they just hear nothing new.
 */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const { NAMESPACE: namespace, REDIS_URL: url, PUBLIC_URL } = config;
  const logger = overrides.logger ?? createLogger('updates', config.LOG_LEVEL);
  const clock = overrides.clock ?? systemClock;
  const health = createHealth();
  const redis = connectRedis({ url, logger, health });
  const subscriber = connectRedis({ url, logger });
  health.add('redis subscriber', async () => {
    if (subscriber.status !== 'ready') throw new Error('not connected');
  });
  const broker = connectBroker({ url: config.RABBITMQ_URL, namespace, logger });
  return {
    config,
    clock,
    logger,
    health,
    metrics: createMetrics('updates', { process: true }),
    bearer:
      overrides.bearer ??
      createBearerVerifier({
        jwksUrl: `${config.AUTH_URL}/jwks`,
        issuer: config.AUTH_PUBLIC_URL ?? PUBLIC_URL,
        audience: PUBLIC_URL,
      }),
    broker,
    channels: createChannelStore({ subscriber, publisher: redis, namespace, logger }),
    history: createHistoryStore(redis, {
      namespace,
      length: config.HISTORY_LENGTH,
      seconds: config.HISTORY_SECONDS,
      logger,
    }),
    memberStates: createMemberStateStore({
      redis,
      namespace,
      clock,
      presentMs: config.HEARTBEAT_MS * presentBeats,
    }),
    registry: createRegistry({
      perMember: config.SOCKETS_PER_MEMBER,
      perAddress: config.SOCKETS_PER_ADDRESS,
    }),
    close: async () => {
      await broker.close();
      subscriber.disconnect();
      redis.disconnect();
    },
  };
}
