import { connectBroker, type Broker } from '@covalence/events/broker';
import { createDeadLetterService } from '@covalence/events/dead-letters/service';
import { outboxState } from '@covalence/events/outbox';
import { createPublisher } from '@covalence/events/publisher';
import { queueStates } from '@covalence/events/queue-states';
import type { Audit } from '@covalence/http/audit';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import { createStatus } from '@covalence/http/operations';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { migrationState } from '@covalence/migrations/migration-state';
import { connectMongo } from '@covalence/runtime/mongo';
import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import { createServiceBase, type BaseOverrides, type ServiceBase } from '@covalence/runtime/service-base';
import type { Connection } from 'mongoose';
import { createHitStore } from './affiliates/hit-store.ts';
import type { Config } from './config.ts';
import { createMembers } from './members/members.ts';
import { createHourlyLimitStore } from './members/store/hourly-limit-store.ts';
import { createMessages } from './messages/messages.ts';
import { moveDecisions } from './moderation/decide.ts';
import { findHeldPhoto, createModeration } from './moderation/moderation.ts';
import { readCountersOf } from './pairs/counters.ts';
import { migrations } from './migrations.ts';
import { deadLetterServices, readersOf, type OperationsContext } from './operations/operations.ts';
import { erasureState, siteSettings } from './operations/own-status.ts';
import { createOperations } from './operations/show-operations.ts';
import { createPairs } from './pairs/pairs.ts';
import type { ImageFetcher } from './photos/image/fetch-image.ts';
import { photoStorageOf } from './photos/photo-storage-settings.ts';
import { createPhotos } from './photos/photos.ts';
import { createErasureStore } from './privacy/erasure-store.ts';
import type { PrivacyContext } from './privacy/privacy.ts';
import { createPhotoAddresses } from './record/photo-address.ts';
import { ownRecord } from './record/records.ts';

/** Dependencies of all domains, and those of the process itself. */
export interface Context extends ServiceBase, PrivacyContext, OperationsContext {
  readonly config: Config;
  readonly bearer: BearerVerifier;
  readonly audit: Audit;
  readonly connection: Connection;
  readonly redis: RedisClient;
  readonly broker: Broker;
  close(): Promise<void>;
}

/** Dependencies and settings that tests replace. */
export interface Overrides extends BaseOverrides {
  readonly bearer?: BearerVerifier;
  readonly billing?: Partial<Peer<'billing'>>;
  readonly imageFetcher?: ImageFetcher;
  /** Milliseconds that the database may take to answer. */
  readonly databaseLimitMs?: number;
}

/** The queues that this service consumes. */
const consumed = ['profile.memberships'] as const;

/** Each list delivers the letters anew, and RabbitMQ counts deliveries. */
const letterListsPerHour = 600;

/** Dead letters that an account may replay or delete in an hour: each that fails again holds up its queue for seconds. */
const lettersPerHour = 500;

/** Creates the stores and clients of every domain. Connections are opened, and reopened, in the background. */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const base = createServiceBase('profile', config, overrides);
  const { clock, health, logger, metrics } = base;
  const { NAMESPACE: namespace, MONGODB_URL, RABBITMQ_URL, RABBITMQ_TOPOLOGY: topology } = config;
  const { databaseLimitMs: answerLimitMs } = overrides;
  const database = `${namespace}-profile`;
  const connection = connectMongo({ ...base, url: MONGODB_URL, database, answerLimitMs });
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: 500 });
  health.addOptional('redis', () => redis.ping());
  const broker = connectBroker({ ...base, url: RABBITMQ_URL, topology, namespace });
  const publisher = createPublisher(broker, metrics);
  const options = { connection, publisher, logger, metrics, clock };
  const credential = createServiceCredential('profile', config.SERVICE_SECRET);
  const auth = createPeer({ url: config.AUTH_URL, to: 'auth', credential });
  const search = createPeer({ url: config.SEARCH_URL, to: 'search', credential });
  const billing = {
    ...createPeer({ url: config.BILLING_URL, to: 'billing', credential }),
    ...overrides.billing,
  };
  const members = createMembers({
    ...options,
    redis,
    namespace,
    config,
    ownRecord: (member, addresses) => ownRecord(context, member, addresses),
  });
  const pairs = createPairs({
    ...options,
    presence: members.presence,
    read: (member) => readCountersOf(context, member),
  });
  const messages = createMessages(options);
  const hourly = (what: string, perHour: number) => createHourlyLimitStore(redis, namespace, what, perHour);
  const moderation = createModeration(connection, hourly('staff-searches', config.STAFF_SEARCHES_PER_HOUR), {
    evidenceDays: config.EVIDENCE_DAYS,
    rejectedDays: config.REJECTED_DAYS,
    savedReasons: config.REASONS_FILE,
    secret: config.POSITION_SECRET,
  });
  const photos = createPhotos({
    connection,
    storage: photoStorageOf(config),
    threads: config.PHOTO_THREADS,
    bans: members.bans,
    fetcher: overrides.imageFetcher,
    findHeld: (photo) => findHeldPhoto(moderation, photo),
    moveDecisions: (member) => moveDecisions({ moderation, members }, member),
  });
  const erasures = createErasureStore(connection);
  const updates = createPeer({ url: config.UPDATES_URL, to: 'updates', credential });
  const status = createStatus({
    health,
    manifest: new URL('../package.json', import.meta.url),
    settings: {
      PHOTO_SHARING: config.PHOTO_SHARING,
      EVIDENCE_DAYS: config.EVIDENCE_DAYS,
      REJECTED_DAYS: config.REJECTED_DAYS,
      BAN_YEARS: config.BAN_YEARS,
    },
    sites: siteSettings(config.SITES_FILE),
    outbox: () => outboxState([members, pairs, messages].map(({ store }) => store.outbox)),
    queues: () => queueStates(broker, consumed),
    migrations: () => migrationState(connection, migrations),
    erasures: () => erasureState(members, erasures, clock()),
  });
  const peers = { auth, billing, search, updates };
  const context: Context = {
    ...base,
    config,
    sites: config.SITES_FILE,
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    audit: auth.recordStaffCall,
    auth,
    billing,
    search,
    publisher,
    affiliates: { known: config.AFFILIATES_FILE, hits: createHitStore(connection) },
    members,
    records: {
      photoAddresses: createPhotoAddresses(config.PUBLIC_URL, config.SERVICE_SECRET, clock),
      photoSharing: config.PHOTO_SHARING,
    },
    pairs,
    messages,
    photos,
    moderation,
    privacy: {
      services: peers,
      erasures,
      exports: hourly('exports', config.EXPORTS_PER_HOUR),
    },
    operations: {
      read: createOperations(readersOf(status, peers), { clock, logger }),
      deadLetters: deadLetterServices(createDeadLetterService(broker, consumed), peers, connection),
      listed: hourly('letter-lists', letterListsPerHour),
      settled: hourly('settled-letters', lettersPerHour),
    },
    connection,
    redis,
    broker,
    async close() {
      publisher.closeSoon();
      await photos.pool.close();
      await Promise.all([members, pairs, messages].map(({ store }) => store.outbox.close()));
      await pairs.counterUpdates.close();
      await publisher.close();
      await broker.close();
      redis.disconnect();
      await connection.close();
    },
  };
  return context;
}
