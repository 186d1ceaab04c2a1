import type { Site, Sites } from '@covalence/contract/sites';
import { connectBroker, type Broker } from '@covalence/events/broker';
import { createPublisher } from '@covalence/events/publisher';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectMongo } from '@covalence/runtime/mongo';
import { connectRedis } from '@covalence/runtime/redis';
import { createSecurityLog, type SecurityLog } from '@covalence/runtime/security-events';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { createActivityStore, type ActivityStore } from './pairs/activity-store.ts';
import { createCounterNews, type CounterNews } from './pairs/counter-updates.ts';
import { createDailyQuotaStore, type DailyQuotaStore } from './pairs/daily-quota-store.ts';
import { readCounters } from './pairs/read-counters.ts';
import type { Affiliates } from './affiliates/affiliates.ts';
import { createHitStore, type HitStore } from './affiliates/hit-store.ts';
import type { Config } from './config.ts';
import { createHourlyLimitStore, type HourlyLimitStore } from './members/store/hourly-limit-store.ts';
import { createOneAtATime, type OneAtATime } from './members/one-at-a-time.ts';
import { createIdStore, type IdStore } from './members/store/id-store.ts';
import { createMemberStore, type MemberStore } from './members/store/member-store.ts';
import { createShownPosition, type ShownPosition } from './members/places/shown-position.ts';
import { createDecisionStore, type DecisionStore } from './moderation/decisions/decision-store.ts';
import { createQueueStore, type QueueStore } from './moderation/queue-store.ts';
import { createEvidenceStore, type EvidenceStore } from './moderation/reports/evidence-store.ts';
import { createReportStore, type ReportStore } from './moderation/reports/report-store.ts';
import { createMessageStore, type MessageStore } from './messages/message-store.ts';
import { createThreadStore, type ThreadStore } from './messages/thread-store.ts';
import { createPrivacyPeers, type PrivacyPeers } from './peers/privacy-peers.ts';
import { createErasureStore, type ErasureStore } from './privacy/erasure-store.ts';
import { createPairStore, type PairStore } from './pairs/pair-store.ts';
import { createAuthPeer, type AuthPeer } from './peers/auth-peer.ts';
import { createBillingPeer, type BillingPeer } from './peers/billing-peer.ts';
import { createImageFetcher, type ImageFetcher } from './photos/image/fetch-image.ts';
import { createImagePool, type ImagePool } from './photos/image/image-pool.ts';
import { imageLimit } from './photos/image/image-type.ts';
import { createPhotoAddresses, type PhotoAddresses } from './record/photo-address.ts';
import { createUploadStore, type UploadStore } from './photos/upload-store.ts';
import { createPhotoStorage, type PhotoPlace, type PhotoStorage } from './photos/photo-storage-store.ts';
import { createPresenceStore, type PresenceStore } from './members/store/presence-store.ts';

/** Everything that the operations of this service work with. */
export interface Context {
  readonly config: Config;
  readonly sites: Sites;
  readonly affiliates: Affiliates;
  readonly affiliateHits: HitStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly security: SecurityLog;
  readonly bearer: BearerVerifier;
  readonly auth: AuthPeer;
  readonly billing: BillingPeer;
  readonly privacy: PrivacyPeers;
  readonly erasures: ErasureStore;
  readonly exportLimits: HourlyLimitStore;
  readonly emailLimits: HourlyLimitStore;
  readonly usernameLimits: HourlyLimitStore;
  readonly registrationLimits: HourlyLimitStore;
  readonly takenNameLimits: HourlyLimitStore;
  /** Look-ups of names, one at a time for each address. */
  readonly nameLookUps: OneAtATime;
  readonly members: MemberStore;
  readonly shownPosition: ShownPosition;
  readonly ids: IdStore;
  readonly pairs: PairStore;
  readonly queue: QueueStore;
  readonly decisions: DecisionStore;
  readonly reports: ReportStore;
  readonly evidence: EvidenceStore;
  readonly messages: MessageStore;
  readonly threads: ThreadStore;
  readonly activity: ActivityStore;
  readonly counterNews: CounterNews;
  readonly likeQuotas: DailyQuotaStore;
  readonly viewQuotas: DailyQuotaStore;
  readonly resultQuotas: DailyQuotaStore;
  readonly conversationQuotas: DailyQuotaStore;
  readonly presence: PresenceStore;
  readonly photoAddresses: PhotoAddresses;
  readonly photoStorage: PhotoStorage;
  readonly uploads: UploadStore;
  readonly imagePool: ImagePool;
  readonly imageFetcher: ImageFetcher;
  readonly connection: Connection;
  readonly redis: Redis;
  readonly broker: Broker;
  /** Ends the relays and closes every store. */
  close(): Promise<void>;
}

/** What tests replace. */
export type Overrides = Partial<Pick<Context, 'bearer' | 'billing' | 'clock' | 'imageFetcher'>> & {
  /** How long the database may take to answer (libs/runtime, mongo). */
  readonly databaseLimitMs?: number;
};

/** Images that may wait for a thread; more are told to come back. */
const queuedImages = 32;

/** Of one member: as many as a member may have photos, sent at once. */
const queuedImagesPerMember = 20;

const photoPlace = (config: Config): PhotoPlace => {
  const bucket = config.PHOTO_S3_BUCKET;
  if (!bucket) return { folder: config.PHOTO_DIR ?? '' };
  return {
    s3: {
      bucket,
      region: config.PHOTO_S3_REGION,
      endpoint: config.PHOTO_S3_ENDPOINT,
      accessKeyId: config.PHOTO_S3_ACCESS_KEY_ID,
      secretAccessKey: config.PHOTO_S3_SECRET_ACCESS_KEY,
    },
  };
};

/** Builds stores and clients; connections stand or come back in the background. */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const logger = createLogger('profile', config.LOG_LEVEL);
  const health = createHealth();
  const metrics = createMetrics('profile');
  const clock = overrides.clock ?? systemClock;
  const connection = connectMongo({
    url: config.MONGODB_URL,
    database: `${config.NAMESPACE}-profile`,
    logger,
    health,
    answerLimitMs: overrides.databaseLimitMs,
  });
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: 500 });
  health.addOptional('redis', () => redis.ping());
  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    topology: config.RABBITMQ_TOPOLOGY,
    namespace: config.NAMESPACE,
    logger,
    health,
  });
  const publisher = createPublisher(broker, metrics);
  const storeOptions = { connection, publisher, logger, metrics, clock };
  const members = createMemberStore(storeOptions);
  const pairs = createPairStore({ ...storeOptions, onRecount: (ids) => counterNews.soon(ids) });
  const activity = createActivityStore(connection);
  const presence = createPresenceStore(redis, config.NAMESPACE, logger);
  const counterNews = createCounterNews({
    read: (member) => readCounters({ activity, pairs }, member),
    presence,
    publisher,
    logger,
    clock,
  });
  const hourly = (what: string, perHour: number) =>
    createHourlyLimitStore(redis, config.NAMESPACE, what, perHour);
  const imagePool = createImagePool({
    threads: config.PHOTO_THREADS,
    queue: queuedImages,
    queuePerMember: queuedImagesPerMember,
  });
  const messages = createMessageStore(storeOptions);
  const credential = createServiceCredential('profile', config.SERVICE_SECRET);
  return {
    config,
    sites: config.SITES_FILE,
    affiliates: config.AFFILIATES_FILE,
    affiliateHits: createHitStore(connection),
    clock,
    logger,
    health,
    metrics,
    security: createSecurityLog(logger, metrics),
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    auth: createAuthPeer({ url: config.AUTH_URL, credential }),
    billing: overrides.billing ?? createBillingPeer({ url: config.BILLING_URL, credential }),
    privacy: createPrivacyPeers(
      {
        auth: config.AUTH_URL,
        billing: config.BILLING_URL,
        search: config.SEARCH_URL,
        updates: config.UPDATES_URL,
      },
      credential,
    ),
    erasures: createErasureStore(connection),
    exportLimits: hourly('exports', config.EXPORTS_PER_HOUR),
    emailLimits: hourly('emails', config.EMAILS_PER_HOUR),
    usernameLimits: hourly('usernames', config.USERNAMES_PER_HOUR),
    registrationLimits: hourly('registrations', config.REGISTRATIONS_PER_HOUR),
    takenNameLimits: hourly('taken-names', config.TAKEN_NAMES_PER_HOUR),
    nameLookUps: createOneAtATime(),
    members,
    shownPosition: createShownPosition(config.POSITION_SECRET),
    ids: createIdStore(connection),
    pairs,
    queue: createQueueStore(connection),
    decisions: createDecisionStore(connection),
    reports: createReportStore(connection),
    evidence: createEvidenceStore(connection),
    messages,
    threads: createThreadStore(connection),
    activity,
    counterNews,
    likeQuotas: createDailyQuotaStore(connection, 'like_quotas'),
    viewQuotas: createDailyQuotaStore(connection, 'view_quotas'),
    resultQuotas: createDailyQuotaStore(connection, 'result_quotas'),
    conversationQuotas: createDailyQuotaStore(connection, 'conversation_quotas'),
    presence,
    photoAddresses: createPhotoAddresses(config.PUBLIC_URL, config.SERVICE_SECRET, clock),
    photoStorage: createPhotoStorage(photoPlace(config)),
    uploads: createUploadStore(connection),
    imagePool,
    imageFetcher: overrides.imageFetcher ?? createImageFetcher({ maxBytes: imageLimit }),
    connection,
    redis,
    broker,
    async close() {
      publisher.closeSoon();
      await imagePool.close();
      await Promise.all([members, pairs, messages].map(({ outbox }) => outbox.close()));
      await counterNews.close();
      await publisher.close();
      await broker.close();
      redis.disconnect();
      await connection.close();
    },
  };
}

/** The site of a member; the configuration has every site that members were registered on. */
export function siteOf(context: Pick<Context, 'sites'>, siteid: number): Site {
  const site = context.sites.get(siteid);
  if (!site) throw new Error(`site ${siteid} is not in the sites file`);
  return site;
}
