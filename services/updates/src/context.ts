import type { DeadLetterService } from '@covalence/contract/peers/operations-api';
import { connectBroker, type Broker } from '@covalence/events/broker';
import { createDeadLetterService } from '@covalence/events/dead-letters/service';
import { createPublisher } from '@covalence/events/publisher';
import { queueStates } from '@covalence/events/queue-states';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import { createProofCheck } from '@covalence/http/dpop';
import { createStatus, type ReadStatus } from '@covalence/http/operations';
import { createPeer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import type { Clock } from '@covalence/runtime/clock';
import { connectRedis } from '@covalence/runtime/redis';
import { createServiceBase, type BaseOverrides, type ServiceBase } from '@covalence/runtime/service-base';
import type { Config } from './config.ts';
import { createChannelStore } from './live/channel-store.ts';
import { createHistoryStore } from './live/history-store.ts';
import { pushLost } from './push/push-events.ts';
import { createPresenceStore } from './presence/presence-store.ts';
import type { PresenceContext } from './presence/watch-presence.ts';
import type { Push, PushContext } from './push/push-context.ts';
import { createPushQueue, type PushQueue } from './push/push-queue-store.ts';
import { waitingIn } from './push/push-lane.ts';
import { createPushTransports } from './push/push-transports.ts';
import type { Vapid, WebTransportOptions } from './push/transports/web-transport.ts';
import { createMemberStateStore } from './sockets/member-state-store.ts';
import { createRegistry } from './sockets/registry.ts';
import type { SocketsContext } from './sockets/sockets.ts';

/** The dependencies of the domains, and of the process. */
export interface Context extends ServiceBase, SocketsContext, PresenceContext, PushContext {
  readonly config: Config;
  readonly broker: Broker;
  readonly status: ReadStatus;
  readonly letters: DeadLetterService;
  close(): Promise<void>;
}

/** Replacements for tests. */
export interface Overrides extends BaseOverrides {
  readonly bearer?: BearerVerifier;
  readonly sending?: Partial<Pick<WebTransportOptions, 'ca' | 'lookup' | 'timeoutMs'> & Pick<Push, 'pollMs'>>;
}

const pushPollMs = 1_000;

function vapidOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }: Config): Vapid | undefined {
  if (!VAPID_PUBLIC_KEY || !VAPID_PRIVATE_KEY || !VAPID_SUBJECT) return undefined;
  return { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT };
}

function pushOf(
  config: Config,
  queue: PushQueue,
  clock: Clock,
  { pollMs = pushPollMs, lookup, ...sending }: NonNullable<Overrides['sending']> = {},
): Push | undefined {
  const vapid = vapidOf(config);
  const apps = config.PUSH_APPS_FILE;
  if (!vapid && !apps.size) return undefined;
  const allowed = config.PUSH_ALLOWED_ADDRESSES.split(',').filter(Boolean);
  const web = vapid && { vapid, allowed, ...sending, ...(lookup && { lookup }) };
  const transports = createPushTransports(apps, web, { clock, ...sending });
  return { webKey: vapid?.publicKey, apps, ...transports, queue, pollMs };
}

/** The queues that this service consumes. */
const consumed = ['updates.live', 'updates.push'] as const;

/** A member counts as present for this many heartbeats after the last one. */
const presentHeartbeats = 3;

/**
 * Connects to RabbitMQ and twice to Redis, because a subscribed connection takes no other commands. Only Redis affects readiness:
 * without RabbitMQ, sockets still open and resume.
 */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const { NAMESPACE: namespace, REDIS_URL: url, RABBITMQ_URL, RABBITMQ_TOPOLOGY: topology } = config;
  const base = createServiceBase('updates', config, overrides);
  const { clock, health, logger, metrics } = base;
  const redis = connectRedis({ url, logger, health });
  const subscriber = connectRedis({ url, logger });
  const channels = createChannelStore({ subscriber, publisher: redis, namespace, logger });
  health.add('redis subscriber', async () => {
    if (!channels.isConnected()) throw new Error('the Redis channels are not connected');
  });
  const broker = connectBroker({ ...base, url: RABBITMQ_URL, topology, namespace });
  const publisher = createPublisher(broker, metrics);
  const presentMs = config.HEARTBEAT_MS * presentHeartbeats;
  const history = {
    namespace,
    length: config.HISTORY_LENGTH,
    seconds: config.HISTORY_SECONDS,
    logger,
    clock,
  };
  const pushQueue = createPushQueue(redis, { namespace, waitingIn, logger, clock });
  const push = pushOf(config, pushQueue, clock, overrides.sending);
  const context: Context = {
    ...base,
    config,
    bearer:
      overrides.bearer ??
      // Each socket sends its token once, so few are worth caching.
      createBearerVerifier({ ...tokensOf(config), cacheSize: 1_000 }),
    broker,
    status: createStatus({
      health,
      manifest: new URL('../package.json', import.meta.url),
      settings: {
        VAPID_PUBLIC_KEY: config.VAPID_PUBLIC_KEY ? 'set' : 'not set',
        PUSH_APPS_FILE: config.PUSH_APPS_FILE.size,
      },
      queues: () => queueStates(broker, consumed),
    }),
    letters: createDeadLetterService(broker, consumed),
    publisher,
    profile: createPeer({
      to: 'profile',
      url: config.PROFILE_URL,
      credential: createServiceCredential('updates', config.SERVICE_SECRET),
    }),
    live: {
      clock,
      logger,
      channels,
      history: createHistoryStore(redis, history),
    },
    sockets: {
      proofs: createProofCheck({ redis, namespace, now: () => clock().getTime() }),
      url: `${config.PUBLIC_URL}/ws/updates`,
      onLost: (member, after) =>
        pushLost(member, after, context).catch((error: unknown) =>
          logger.warn({ err: error, member }, 'notifications of a lost socket not pushed'),
        ),
      memberStates: createMemberStateStore({ redis, namespace, clock, presentMs }),
      registry: createRegistry({
        perProcess: config.SOCKETS_PER_PROCESS,
        perMember: config.SOCKETS_PER_MEMBER,
        perAddress: config.SOCKETS_PER_ADDRESS,
      }),
    },
    presence: createPresenceStore(redis, namespace, presentMs),
    push,
    async close() {
      push?.close();
      await publisher.close();
      await broker.close();
      channels.close();
      subscriber.disconnect();
      redis.disconnect();
    },
  };
  return context;
}
