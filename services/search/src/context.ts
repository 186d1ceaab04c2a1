import { connectBroker } from '@covalence/events/broker';
import { createConsumer, type Consumer } from '@covalence/events/consumer';
import { createLease } from '@covalence/events/lease';
import { startPeriodic, type Periodic, type PeriodicOptions } from '@covalence/events/periodic';
import { createLetterDesk } from '@covalence/events/letter-desk';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { queueStates } from '@covalence/events/queue-states';
import { createBearerVerifier, tokensOf } from '@covalence/http/bearer';
import type { LetterDesk } from '@covalence/contract/internal/operations-api';
import type { MountOptions } from '@covalence/http/mount';
import { createStatus, type ReadStatus } from '@covalence/http/operations';
import { createPeer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { createServiceGate } from '@covalence/http/service-gate';
import { migrationState } from '@covalence/migrations/migration-state';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectMongo } from '@covalence/runtime/mongo';
import { createSecurityLog } from '@covalence/runtime/security-events';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import type { labConfigSchema, SearchConfig } from './config.ts';
import { connectElasticsearch } from './index/elasticsearch-adapter.ts';
import type { IndexMapping } from './index/mapping.ts';
import { onMemberChanged } from './index/on-member-changed.ts';
import { watchIndex } from './index/index-state.ts';
import { createSearchIndex, createTemporaryIndex } from './index/search-index.ts';
import { migrations } from './migrations.ts';
import { createRelations } from './relations/relations.ts';
import { createAlertBook } from './alerts/alert-book.ts';
import type { AlertsContext } from './alerts/alerts.ts';
import { matchDay } from './discover/match-day.ts';
import { noteBirthdays } from './alerts/note-birthdays.ts';
import { noteMatchesOrGoOn } from './alerts/note-matches.ts';
import { tellMatches } from './alerts/tell-matches.ts';
import { createMatchCriteriaStore } from './saved/match-criteria-store.ts';
import { createAppearanceStore } from './saved/appearance-store.ts';
import { createFeedStore } from './saved/feed-store.ts';
import { createJudgmentStore } from './saved/judgment-store.ts';
import { createMatchStore } from './saved/match-store.ts';
import { createSavedSearchStore } from './saved/saved-search-store.ts';
import { isShownOtherwise } from './saved/shown-otherwise.ts';
import { createRunStore } from './saved/run-store.ts';
import { createStandingStore } from './saved/standing-store.ts';
import { createPseudonyms } from './usage/pseudonyms.ts';
import { createExperimentStore } from './usage/experiment-store.ts';
import { settleExperiments } from './usage/judge-experiment.ts';
import { followExperiment } from './usage/running-experiment.ts';
import { createRecorder } from './usage/recorder.ts';
import { createUsageStore } from './usage/usage-store.ts';
import { followSearches, largestSample } from './usage/follow-searches.ts';
import { createSearchCenterStore } from './searches/search-center-store.ts';
import { createActiveSettings } from './settings/active-settings.ts';
import { unknownSites } from './settings/search-settings.ts';
import { createSettingsStore } from './settings/settings-store.ts';
import { createComparisonLimit } from './workbench/comparison-limit.ts';
import type { StaffSearchContext } from './workbench/staff-settings.ts';

/** The dependencies of the domains, of the HTTP application, and of the process. */
export interface SearchContext extends AlertsContext, StaffSearchContext, MountOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly connection: Connection;
  readonly health: Health;
  readonly status: ReadStatus;
  readonly letters: LetterDesk;
  /** Starts maintaining the index and consuming events; does not wait for the stores. */
  start(): Promise<void>;
  /** Stops the background work, then closes the connections. */
  close(): Promise<void>;
}

/** Replacements for tests. */
export interface SearchOverrides extends Partial<
  Pick<MountOptions, 'audit' | 'bearer' | 'logger' | 'metrics' | 'checkOutput'>
> {
  readonly clock?: Clock;
  /** Pauses of the index commands, ms. */
  readonly pauseMs?: number;
  /** Time limit of database operations, ms. */
  readonly databaseLimitMs?: number;
}

/** The queues that this service consumes. */
const consumed = ['search.index', 'search.usage'] as const;

/** Events per call to profile and bulk write, and how long they are collected. */
const batch = { size: 500, waitMs: 200 };

/**
 * Intervals of the jobs: notifying searchers of new matches, birthdays, matchings that are due, searches
 * recorded with a lost secret, and completed weeks of experiments.
 */
const everyMs = {
  tell: 5_000,
  birthdays: 3_600_000,
  matching: 600_000,
  usage: 600_000,
  experiments: 600_000,
};

/** Logs the versions of the files, and sites in them that do not exist. */
function logFiles(
  { RELEVANCE_FILE, MAPPING_FILE, SITES_FILE, USAGE_SECRET }: SearchConfig,
  logger: Logger,
): void {
  logger.info(
    { relevance: RELEVANCE_FILE.version, mapping: MAPPING_FILE.version },
    'versions of the settings files',
  );
  const sites = unknownSites(RELEVANCE_FILE, SITES_FILE);
  if (sites.length) logger.warn({ sites }, 'RELEVANCE_FILE names sites that are not in SITES_FILE');
  if (largestSample(RELEVANCE_FILE) > 0 && !USAGE_SECRET) {
    logger.warn('usage_sample is set, but no search is recorded: set USAGE_SECRET');
  }
}

/** Builds stores and clients; returns at once, connections are made in the background. */
export function createContext(config: SearchConfig, overrides: SearchOverrides = {}): SearchContext {
  const { NAMESPACE: namespace, MAPPING_FILE: mapping } = config;
  const {
    logger = createLogger('search', config.LOG_LEVEL),
    metrics = createMetrics('search'),
    clock = systemClock,
    pauseMs,
  } = overrides;
  const health = createHealth();
  const connection = connectMongo({
    url: config.MONGODB_URL,
    database: `${namespace}-search`,
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
    matches: createMatchStore(connection, clock),
    appearances: createAppearanceStore(connection, clock),
    feeds: createFeedStore(connection, clock),
    standings: createStandingStore(connection, clock),
    judgments: createJudgmentStore(connection, clock),
    judgmentRuns: createRunStore(connection, clock),
  };
  const pseudonyms = config.USAGE_SECRET && createPseudonyms(config.USAGE_SECRET);
  const usageStore = createUsageStore(connection, pseudonyms, clock);
  const experiments = createExperimentStore(connection, clock);
  const running = followExperiment(experiments, { connection, logger, metrics });
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
    follow: followSearches(
      usageStore,
      pseudonyms,
      async () => (await settings.active.current()).relevance,
      (member, other) => isShownOtherwise(member, other, saved),
      async (id) => (await profile.readProjections({ ids: [id] })).projections[0]?.recorded !== false,
    ),
  };
  let publisher: Publisher | undefined;
  let consumers: readonly Consumer[] = [];
  let jobs: readonly Periodic[] = [];

  const context: SearchContext = {
    logger,
    metrics,
    clock,
    health,
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
    letters: createLetterDesk(broker, consumed),
    connection,
    sites: config.SITES_FILE,
    profile,
    index,
    relations: createRelations(profile, clock),
    settings,
    security: createSecurityLog(logger, metrics),
    comparisons: createComparisonLimit(clock),
    searches: { centers: createSearchCenterStore(connection, config.SEARCH_CENTERS_PER_HOUR, clock) },
    saved,
    usage,
    alerts: {
      book: createAlertBook({
        searches: saved.searches,
        active: settings.active,
        sites: config.SITES_FILE,
        clock,
      }),
      // Commands have nothing to publish.
      publisher: () => (publisher ??= createPublisher(broker, metrics)),
    },
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    audit: overrides.audit ?? createPeer({ url: config.AUTH_URL, to: 'auth', credential }).recordStaffCall,
    services: createServiceGate('search', config.SERVICE_PUBLIC_KEYS, logger),
    ...(overrides.checkOutput && { checkOutput: true }),
    start() {
      logFiles(config, logger);
      settings.active.start();
      index.reconciler.start();
      const handle = onMemberChanged(
        profile,
        index.members,
        Object.values(saved),
        (members) => noteMatchesOrGoOn(members, context),
        usageStore,
      );
      consumers = [
        createConsumer(broker, { queue: 'search.index', handle, batch, logger, metrics }),
        createConsumer(broker, { queue: 'search.usage', handle: usage.follow, batch, logger, metrics }),
      ];
      usage.recorder.start();
      usage.running.start();
      const job = (name: string, everyMs: number, work: PeriodicOptions['work']) =>
        startPeriodic({
          name,
          everyMs,
          lease: createLease(connection, name, 3 * everyMs),
          work,
          logger,
          metrics,
        });
      jobs = [
        job('alerts', everyMs.tell, (mayGoOn) => tellMatches(context, mayGoOn)),
        job('alerts-of-birthdays', everyMs.birthdays, (mayGoOn) => noteBirthdays(context, mayGoOn)),
        job('matching', everyMs.matching, (mayGoOn) => matchDay(context, mayGoOn)),
        job('usage-secrets', everyMs.usage, async () => {
          const count = await usage.store.forgetUnknown();
          if (count) logger.warn({ searches: count }, 'deleted searches recorded under another USAGE_SECRET');
        }),
        job('experiments', everyMs.experiments, () => settleExperiments({ ...usage, clock, logger })),
      ];
      return Promise.resolve();
    },
    async close() {
      await Promise.all([...consumers, ...jobs, usage.recorder, usage.running].map((part) => part.close()));
      await index.reconciler.close();
      await settings.active.close();
      await publisher?.close();
      await broker.close();
      await engine.close();
      await connection.close();
    },
  };
  return context;
}

/** Builds what comparisons with their own members need. */
export function createLabContext(config: z.output<typeof labConfigSchema>, logger: Logger) {
  const { NAMESPACE: namespace, MONGODB_URL: url, ELASTICSEARCH_URL } = config;
  const health = createHealth();
  const engine = connectElasticsearch({ url: ELASTICSEARCH_URL, health });
  const stores = { engine, namespace, logger };
  const connection = url ? connectMongo({ url, database: `${namespace}-search`, logger, health }) : undefined;
  return {
    clock: systemClock,
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
