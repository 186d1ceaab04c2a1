import { connectBroker, type Broker } from '@covalence/events/broker';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectRedis } from '@covalence/runtime/redis';
import type { Config } from './config.ts';
import { createChannelStore, type ChannelStore } from './live/channel-store.ts';
import { createHistoryStore, type HistoryStore } from './live/history-store.ts';
import { createMemberStateStore, type MemberStateStore } from './sockets/member-state-store.ts';
import { createPresenceStore, type PresenceStore } from './presence/presence-store.ts';
import { createPushSender, type PushSender, type PushSenderOptions, type Vapid } from './push/push-sender.ts';
import { createPushQueue, type PushQueue } from './push/push-queue-store.ts';
import { createRegistry, type Registry } from './sockets/registry.ts';

/** The stores and clients of the service. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly bearer: BearerVerifier;
  readonly broker: Broker;
  readonly publisher: Publisher;
  readonly channels: ChannelStore;
  readonly history: HistoryStore;
  readonly memberStates: MemberStateStore;
  readonly registry: Registry;
  readonly profile: Peer<'profile'>;
  readonly pushQueue: PushQueue;
  readonly presence: PresenceStore;
  /** Undefined when no VAPID keys are configured. */
  readonly push: Push | undefined;
  close(): Promise<void>;
}

/** Web push with its keys. */
export interface Push {
  readonly vapid: Vapid;
  readonly sender: PushSender;
  /** Interval between two checks of the queue, ms; a message queued by this process is checked at once. */
  readonly pollMs: number;
}

/** What tests put in place of the real thing. */
export interface Overrides {
  readonly bearer?: BearerVerifier;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly sending?: Partial<Pick<PushSenderOptions, 'ca' | 'lookup' | 'timeoutMs'> & Pick<Push, 'pollMs'>>;
}

const pushPollMs = 1_000;
/** Devices that may wait for one push service: 50 to 110 MB of Redis. */
const queuedPerHost = 50_000;

function pushOf(
  config: Config,
  { pollMs = pushPollMs, ...sending }: NonNullable<Overrides['sending']> = {},
): Push | undefined {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT, PUSH_ALLOWED_ADDRESSES } = config;
  if (!VAPID_PUBLIC_KEY || !VAPID_PRIVATE_KEY || !VAPID_SUBJECT) return undefined;
  const vapid = { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT };
  const allowed = PUSH_ALLOWED_ADDRESSES.split(',').filter(Boolean);
  return { vapid, sender: createPushSender({ vapid, allowed, ...sending }), pollMs };
}

/** A member counts as present for this many heartbeats after the last one. */
const presentHeartbeats = 3;

/**
 * Connects to RabbitMQ and twice to Redis, because a subscribed connection takes no other commands. Only Redis affects readiness:
 * without RabbitMQ, sockets still open and resume.
 */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const { NAMESPACE: namespace, REDIS_URL: url } = config;
  const logger = overrides.logger ?? createLogger('updates', config.LOG_LEVEL);
  const clock = overrides.clock ?? systemClock;
  const health = createHealth();
  const redis = connectRedis({ url, logger, health });
  const subscriber = connectRedis({ url, logger });
  health.add('redis subscriber', async () => {
    if (subscriber.status !== 'ready') throw new Error('not connected');
  });
  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    topology: config.RABBITMQ_TOPOLOGY,
    namespace,
    logger,
    health,
  });
  const metrics = createMetrics('updates');
  const publisher = createPublisher(broker, metrics);
  const presentMs = config.HEARTBEAT_MS * presentHeartbeats;
  return {
    config,
    clock,
    logger,
    health,
    metrics,
    bearer:
      overrides.bearer ??
      // Each socket sends its token once, so few are worth caching.
      createBearerVerifier({ ...tokensOf(config), kept: 1_000 }),
    broker,
    publisher,
    channels: createChannelStore({ subscriber, publisher: redis, namespace, logger }),
    history: createHistoryStore(redis, {
      namespace,
      length: config.HISTORY_LENGTH,
      seconds: config.HISTORY_SECONDS,
      logger,
      clock,
    }),
    memberStates: createMemberStateStore({ redis, namespace, clock, presentMs }),
    registry: createRegistry({
      perProcess: config.SOCKETS_PER_PROCESS,
      perMember: config.SOCKETS_PER_MEMBER,
      perAddress: config.SOCKETS_PER_ADDRESS,
    }),
    profile: createPeer({
      to: 'profile',
      url: config.PROFILE_URL,
      credential: createServiceCredential('updates', config.SERVICE_SECRET),
    }),
    pushQueue: createPushQueue(redis, { namespace, perHost: queuedPerHost, logger, clock }),
    presence: createPresenceStore(redis, namespace, presentMs),
    push: pushOf(config, overrides.sending),
    close: async () => {
      await publisher.close();
      await broker.close();
      subscriber.disconnect();
      redis.disconnect();
    },
  };
}
