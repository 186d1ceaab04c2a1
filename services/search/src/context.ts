import { connectBroker, type Broker } from '@covalence/events/broker';
import { createDeadLetterService } from '@covalence/events/dead-letters/service';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { queueStates } from '@covalence/events/queue-states';
import { createBearerVerifier, tokensOf } from '@covalence/http/bearer';
import type { DeadLetterService } from '@covalence/contract/peers/operations-api';
import type { MountOptions } from '@covalence/http/mount';
import { createStatus, type ReadStatus } from '@covalence/http/operations';
import { createPeer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { createServiceGate } from '@covalence/http/service-gate';
import { migrationState } from '@covalence/migrations/migration-state';
import type { Logger } from '@covalence/runtime/logger';
import { connectMongo } from '@covalence/runtime/mongo';
import { createServiceBase, type BaseOverrides, type ServiceBase } from '@covalence/runtime/service-base';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import type { labConfigSchema, Config } from './config.ts';
import { connectElasticsearch } from './index/elasticsearch-adapter.ts';
import type { IndexMapping } from './index/mapping.ts';
import { watchIndex } from './index/maintenance/index-state.ts';
import { createSearchIndex, createTemporaryIndex } from './index/search-index.ts';
import { migrations } from './migrations.ts';
import { createRelations } from './criteria/relations.ts';
import { createAlertPercolator } from './alerts/alert-percolator.ts';
import { createMatchStore } from './alerts/match-store.ts';
import { createFeedStore } from './discover/feed-store.ts';
import { createMatchingResultStore } from './discover/matching-result-store.ts';
import { createProfileSnapshotStore } from './discover/profile-snapshot-store.ts';
import { createTasteStore } from './discover/taste-store.ts';
import { isShownOtherwise } from './discover/shown-otherwise.ts';
import { createJudgmentSetStore } from './judgments/judgment-set-store.ts';
import { createRunStore } from './judgments/run-store.ts';
import type { PrivacyContext } from './privacy/privacy.ts';
import { createMatchCriteriaStore } from './saved/match-criteria-store.ts';
import { createSavedSearchStore } from './saved/saved-search-store.ts';
import { createPseudonyms } from './usage/pseudonyms.ts';
import { createExperimentStore } from './usage/experiment-store.ts';
import { followExperiment } from './usage/running-experiment.ts';
import { createRecorder } from './usage/recorder.ts';
import { createUsageStore } from './usage/usage-store.ts';
import { createAttribution } from './usage/attribute-actions.ts';
import { createSearchCenterStore } from './searches/search-center-store.ts';
import { createActiveSettings } from './settings/active-settings.ts';
import { createSettingsStore } from './settings/settings-store.ts';
import { createComparisonLimitStore } from './workbench/comparison-limit-store.ts';

/** The dependencies of the domains, of the HTTP application, and of the process. */
export interface Context extends ServiceBase, PrivacyContext, MountOptions {
  readonly config: Config;
  readonly connection: Connection;
  readonly broker: Broker;
  readonly status: ReadStatus;
  readonly letters: DeadLetterService;
  /** Stores the searches that wait to be recorded, and closes the connections. */
  close(): Promise<void>;
}

/** Replacements for tests. */
export interface Overrides
  extends BaseOverrides, Partial<Pick<MountOptions, 'audit' | 'bearer' | 'checkOutput'>> {
  /** Pauses of the index commands, ms. */
  readonly pauseMs?: number;
  /** Time limit of database operations, ms. */
  readonly databaseLimitMs?: number;
}

/** The queues that this service consumes. */
const consumed = ['search.index', 'search.usage'] as const;

/** Builds stores and clients; returns at once, connections are made in the background. */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const base = createServiceBase('search', config, overrides);
  const { clock, health, logger, metrics } = base;
  const { NAMESPACE: namespace, MONGODB_URL, RABBITMQ_URL, RABBITMQ_TOPOLOGY: topology } = config;
  const { databaseLimitMs: answerLimitMs, pauseMs } = overrides;
  const database = `${namespace}-search`;
  const connection = connectMongo({ ...base, url: MONGODB_URL, database, answerLimitMs });
  const broker = connectBroker({ ...base, url: RABBITMQ_URL, topology, namespace });
  const mapping = config.MAPPING_FILE;
  const engine = connectElasticsearch({ url: config.ELASTICSEARCH_URL, health });
  const credential = createServiceCredential('search', config.SERVICE_SECRET);
  const profile = createPeer({ url: config.PROFILE_URL, to: 'profile', credential });
  const published = createSettingsStore(connection);
  const settings = {
    store: published,
    active: createActiveSettings(published, config.RELEVANCE_FILE, { connection, logger, metrics }),
  };
  const stems = async () => (await settings.active.refresh()).analysis.stems;
  const stores = { engine, connection, broker, profile };
  const index = createSearchIndex({ namespace, mapping, stems, ...stores, clock, logger, metrics, pauseMs });
  const saved = {
    searches: createSavedSearchStore(connection, clock),
    matchCriteria: createMatchCriteriaStore(connection),
  };
  const discover = {
    feeds: createFeedStore(connection, clock),
    matchingResults: createMatchingResultStore(connection, clock),
    snapshots: createProfileSnapshotStore(connection, clock),
    tastes: createTasteStore(connection, clock),
  };
  const judgments = {
    sets: createJudgmentSetStore(connection, clock),
    runs: createRunStore(connection, clock),
  };
  let publisher: Publisher | undefined;
  const alerts = {
    percolator: createAlertPercolator({
      searches: saved.searches,
      active: settings.active,
      sites: config.SITES_FILE,
      clock,
    }),
    matches: createMatchStore(connection, clock),
    // Commands have nothing to publish.
    publisher: () => (publisher ??= createPublisher(broker, metrics)),
  };
  const pseudonyms = config.USAGE_SECRET && createPseudonyms(config.USAGE_SECRET);
  const usageStore = createUsageStore(connection, pseudonyms, clock);
  const experiments = createExperimentStore(connection, clock);
  const running = followExperiment(experiments, connection);
  const usage = {
    store: usageStore,
    experiments,
    inForce: async () => ({
      settings: (await settings.active.refresh()).version,
      file: settings.active.fileVersion,
      mapping: mapping.version,
      secret: pseudonyms?.key ?? null,
    }),
    running,
    recorder: createRecorder({
      store: usageStore,
      experiments: running,
      pseudonyms,
      sites: config.SITES_FILE,
      connection,
      logger,
      metrics,
    }),
    attribute: createAttribution({
      store: usageStore,
      pseudonyms,
      relevance: async () => (await settings.active.current()).relevance,
      isShownOtherwise: (member, other) => isShownOtherwise(member, other, discover, alerts),
      isRecorded: async (id) =>
        (await profile.readProjections({ ids: [id] })).projections[0]?.recorded !== false,
    }),
  };

  return {
    ...base,
    config,
    status: createStatus({
      health,
      manifest: new URL('../package.json', import.meta.url),
      settings: {
        RELEVANCE_FILE: config.RELEVANCE_FILE.version,
        MAPPING_FILE: mapping.version,
        SEARCH_CENTERS_PER_HOUR: config.SEARCH_CENTERS_PER_HOUR,
        USAGE_SECRET: config.USAGE_SECRET ? 'set' : 'not set',
      },
      queues: () => queueStates(broker, consumed),
      migrations: () => migrationState(connection, migrations),
      index: watchIndex(index),
    }),
    letters: createDeadLetterService(broker, consumed),
    connection,
    broker,
    sites: config.SITES_FILE,
    profile,
    index,
    relations: createRelations(profile, clock),
    settings,
    comparisons: createComparisonLimitStore(connection, clock),
    searches: { centers: createSearchCenterStore(connection, config.SEARCH_CENTERS_PER_HOUR, clock) },
    saved,
    alerts,
    discover,
    judgments,
    memberStores: [
      ...[saved, discover, judgments].flatMap((stores) => Object.values(stores)),
      alerts.matches,
    ],
    usage,
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    audit: overrides.audit ?? createPeer({ url: config.AUTH_URL, to: 'auth', credential }).recordStaffCall,
    services: createServiceGate('search', config.SERVICE_PUBLIC_KEYS, logger),
    ...(overrides.checkOutput && { checkOutput: true }),
    async close() {
      await Promise.all([usage.recorder.close(), index.reconciler.close()]);
      await publisher?.close();
      await broker.close();
      await engine.close();
      await connection.close();
    },
  };
}

/** Builds what comparisons with their own members need. */
export function createLabContext(config: z.output<typeof labConfigSchema>, logger: Logger) {
  const { NAMESPACE: namespace, MONGODB_URL: url, ELASTICSEARCH_URL } = config;
  const base = createServiceBase('search', config, { logger });
  const { clock, health } = base;
  const engine = connectElasticsearch({ url: ELASTICSEARCH_URL, health });
  const stores = { engine, namespace, logger };
  const connection = url ? connectMongo({ ...base, url, database: `${namespace}-search` }) : undefined;
  return {
    clock,
    sites: config.SITES_FILE,
    index: { temporary: (mapping: IndexMapping) => createTemporaryIndex(mapping, stores) },
    connection,
    settings: connection && { store: createSettingsStore(connection) },
    async close() {
      await engine.close();
      await connection?.close();
    },
  };
}
