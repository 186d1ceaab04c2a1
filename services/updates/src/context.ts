import { connectBroker, type Broker } from '@covalence/events/broker';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
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
import { createProfilePeer, type ProfilePeer } from './push/profile-peer.ts';
import { createPushSender, type PushSender, type PushSenderOptions, type Vapid } from './push/push-sender.ts';
import { createPushQueue, type PushQueue } from './push/push-queue-store.ts';
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
  readonly publisher: Publisher;
  readonly channels: ChannelStore;
  readonly history: HistoryStore;
  readonly memberStates: MemberStateStore;
  readonly registry: Registry;
  readonly profile: ProfilePeer;
  /** What waits to be pushed. */
  readonly waiting: PushQueue;
  readonly presence: PresenceStore;
  /** How devices are told by push; undefined where no keys are configured. */
  readonly push: Push | undefined;
  close(): Promise<void>;
}

/** The keys of web push, and what sends with them. */
export interface Push {
  readonly vapid: Vapid;
  readonly sender: PushSender;
  /** Time between two looks at what is due, ms; what is added here is looked at at once. */
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
/** Devices that may wait for one push service: 50 MB of Redis, 110 where each waits for a message of every kind. */
const waitingPerHost = 50_000;

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

/** Heartbeats that a member counts as present for after the last one. */
const presentBeats = 3;

/**
 * Connects to Redis, twice because a subscribed connection takes no other commands, and to RabbitMQ. Only Redis can make
 * it not ready: without RabbitMQ sockets still open and resume, they just hear nothing new.
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
  const presentMs = config.HEARTBEAT_MS * presentBeats;
  return {
    config,
    clock,
    logger,
    health,
    metrics,
    bearer:
      overrides.bearer ??
      // A socket shows its token once.
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
    profile: createProfilePeer({
      url: config.PROFILE_URL,
      credential: createServiceCredential('updates', config.SERVICE_SECRET),
    }),
    waiting: createPushQueue(redis, { namespace, perHost: waitingPerHost, logger, clock }),
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
