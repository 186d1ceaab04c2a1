import type { Sites } from '@covalence/contract/sites';
import { connectBroker } from '@covalence/events/broker';
import { createConsumer, type Consumer } from '@covalence/events/consumer';
import { createLease, type Lease } from '@covalence/events/lease';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import type { MountOptions } from '@covalence/http/mount';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { createServiceGate } from '@covalence/http/service-gate';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectMongo } from '@covalence/runtime/mongo';
import type { Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import type { SearchConfig } from './config.ts';
import { onMemberChanged, waitingEvents } from './index/on-member-changed.ts';
import { createDocumentStore, type DocumentStore } from './index/document-store.ts';
import { connectElasticsearch } from './index/elasticsearch-adapter.ts';
import { createIndexReconciler, type IndexReconciler } from './index/index-reconciler.ts';
import { createIndexVersions, type IndexVersions } from './index/index-version-store.ts';
import type { IndexMapping } from './index/mapping.ts';
import { createMemberIndex, type MemberIndex } from './index/member-index.ts';
import { createMatchCriteriaStore, type MatchCriteriaStore } from './saved/match-criteria-store.ts';
import { createRelations, type Relations } from './relations/relations.ts';
import type { RelevanceSettings } from './relevance/relevance-settings.ts';
import { createSavedSearchStore, type SavedSearchStore } from './saved/saved-search-store.ts';
import { createSearchCenterStore, type SearchCenterStore } from './searches/search-center-store.ts';
import { createPostalCodeLocator, type PostalCodeLocator } from './searches/postal-codes.ts';

/** The stores, clients and settings of the service. */
export interface SearchContext extends MountOptions {
  /** Prefix of the indices and queues of the service. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly sites: Sites;
  readonly relevance: RelevanceSettings;
  readonly profile: Peer<'profile'>;
  readonly members: MemberIndex;
  readonly relations: Relations;
  readonly versions: IndexVersions;
  /** A separate index with a unique name. */
  indexOf(purpose: string, mapping: IndexMapping): Pick<SearchContext, 'members' | 'versions'>;
  readonly mapping: IndexMapping;
  readonly reconciler: IndexReconciler;
  readonly documents: DocumentStore;
  /** One process at a time replaces the live index. */
  readonly rebuildLease: Lease;
  /** Replaces the pauses of the index commands, ms; for tests. */
  readonly pauseMs?: number | undefined;
  /** The number of events that wait for the index. */
  waitingEvents(): Promise<number>;
  readonly searchCenters: SearchCenterStore;
  readonly postalCodes: PostalCodeLocator;
  readonly matchCriteria: MatchCriteriaStore;
  readonly saved: SavedSearchStore;
  readonly connection: Connection;
  readonly health: Health;
  /** Starts maintaining the index and consuming events; does not wait for the stores. */
  start(): Promise<void>;
  /** Stops the background work, then closes the connections. */
  close(): Promise<void>;
}

/** What tests put in place of the real thing. */
export interface SearchOverrides {
  readonly bearer?: BearerVerifier;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly checkOutput?: boolean;
  readonly pauseMs?: number;
  /** How long the database may take to answer (libs/runtime, mongo). */
  readonly databaseLimitMs?: number;
}

/** Events per call to profile and bulk write, and how long they are collected. */
const batch = { size: 500, waitMs: 200 };

/** Longer than any step of a rebuild between two renewals of the lease. */
const rebuildLeaseMs = 60_000;

/** Logs the versions of the settings, and sites in them that do not exist. */
function logSettings({ RELEVANCE_FILE, MAPPING_FILE, SITES_FILE }: SearchConfig, logger: Logger): void {
  logger.info(
    { relevance: RELEVANCE_FILE.version, mapping: MAPPING_FILE.version },
    'versions of the settings',
  );
  const sites = Object.keys(RELEVANCE_FILE.sites).filter((siteid) => !SITES_FILE.has(Number(siteid)));
  if (sites.length) logger.warn({ sites }, 'RELEVANCE_FILE names sites that are not in SITES_FILE');
}

/** Builds stores and clients; returns at once, connections are made in the background. */
export function createContext(config: SearchConfig, overrides: SearchOverrides = {}): SearchContext {
  const { NAMESPACE: namespace, MAPPING_FILE: mapping } = config;
  const logger = overrides.logger ?? createLogger('search', config.LOG_LEVEL);
  const metrics = overrides.metrics ?? createMetrics('search');
  const clock = overrides.clock ?? systemClock;
  const health = createHealth();
  const database = `${namespace}-search`;
  const connection = connectMongo({
    url: config.MONGODB_URL,
    database,
    logger,
    health,
    answerLimitMs: overrides.databaseLimitMs,
  });
  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    topology: config.RABBITMQ_TOPOLOGY,
    namespace,
    logger,
    health,
  });
  const engine = connectElasticsearch({ url: config.ELASTICSEARCH_URL, health });
  const profile = createPeer({
    url: config.PROFILE_URL,
    to: 'profile',
    credential: createServiceCredential('search', config.SERVICE_SECRET),
  });
  const members = createMemberIndex(engine, namespace, logger);
  const relations = createRelations(profile, clock);
  const versions = createIndexVersions(engine, namespace, mapping);
  const lease = createLease(connection, 'index-fill');
  const reconciler = createIndexReconciler({
    namespace,
    versions,
    members,
    mapping,
    profile,
    lease,
    logger,
    metrics,
  });
  const matchCriteria = createMatchCriteriaStore(connection);
  const saved = createSavedSearchStore(connection);
  let consumer: Consumer | undefined;

  return {
    namespace,
    mapping,
    logger,
    metrics,
    clock,
    health,
    connection,
    profile,
    members,
    relations,
    versions,
    indexOf(purpose, other) {
      const name = `${namespace}-${purpose}-${randomUUID()}`;
      return {
        members: createMemberIndex(engine, name, logger),
        versions: createIndexVersions(engine, name, other),
      };
    },
    reconciler,
    documents: createDocumentStore(engine),
    rebuildLease: createLease(connection, 'index-rebuild', rebuildLeaseMs),
    waitingEvents: () => waitingEvents(broker),
    matchCriteria,
    saved,
    sites: config.SITES_FILE,
    relevance: config.RELEVANCE_FILE,
    searchCenters: createSearchCenterStore(connection, config.SEARCH_CENTERS_PER_HOUR, clock),
    postalCodes: createPostalCodeLocator(members),
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    services: createServiceGate('search', config.SERVICE_PUBLIC_KEYS, logger),
    ...(overrides.checkOutput && { checkOutput: true }),
    pauseMs: overrides.pauseMs,
    start() {
      logSettings(config, logger);
      reconciler.start();
      const handle = onMemberChanged(profile, members, [matchCriteria, saved]);
      consumer = createConsumer(broker, { queue: 'search.index', handle, batch, logger, metrics });
      return Promise.resolve();
    },
    async close() {
      await consumer?.close();
      await reconciler.close();
      await broker.close();
      await engine.close();
      await connection.close();
    },
  };
}
