import { noLease, startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Sites } from '@covalence/contract/sites';
import { utcDay, startOfUtcDay } from '@covalence/contract/time';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { QueryCriterion } from '../criteria/parse-forms.ts';
import type { SiteRelevance } from '../relevance/relevance-settings.ts';
import type { SortBy } from '../relevance/sort.ts';
import { classText, describeCriteria } from './describe-search.ts';
import type { Experiment } from './experiment-store.ts';
import { weekOf, type Pseudonyms } from './pseudonyms.ts';
import type { RunningExperiment } from './running-experiment.ts';
import { type RecordedSearch, type SettingsVersions, type UsageStore } from './usage-store.ts';

/** A search that begins. */
export interface BegunSearch {
  readonly member: number;
  /** Whether the member allows it. */
  readonly recorded: boolean;
  readonly siteid: number;
  readonly criteria: readonly QueryCriterion[];
  readonly sortby: SortBy;
  readonly page: number;
  readonly pagesize: number;
  readonly relevance: SiteRelevance;
  readonly versions: SettingsVersions;
  readonly at: Date;
}

/** A search that will be recorded. */
export interface Recording {
  /** The experiment that it takes part in; all pages of a search on a day have one seed. */
  readonly trial: { readonly experiment: Experiment; readonly seed: string } | undefined;
  /** Notes whom the page shows in their order, with null in the place of who dropped out, and a letter for the team of each place. */
  end(shown: readonly (number | null)[], teams: string | undefined): void;
}

/** Records searches beside their answers: nobody waits for it, and what cannot be stored is dropped. */
export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderOptions {
  readonly store: UsageStore;
  readonly experiments: Pick<RunningExperiment, 'current'>;
  readonly pseudonyms: Pseudonyms | undefined;
  readonly sites: Sites;
  readonly connection: Connection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Searches that wait to be stored, about 2 KiB each, and how often they are. */
const most = 5_000;
const everyMs = 500;
const perInsert = 250;

/** Time that a shutdown waits for MongoDB. */
const closeLimitMs = 2_000;

/**
 * Whether a search takes part in an experiment, which compares with what was in force when it began. A member does in one week, the first
 * that has them in the sample: a member who comes again would prefer the same ranking again, and is no further evidence.
 */
function takesPart(
  { sites, against, started }: Experiment,
  { member, siteid, versions, relevance, at }: BegunSearch,
  { key, lot }: Pseudonyms,
): boolean {
  if (!isDeepStrictEqual(against, { ...versions, secret: key })) return false;
  if (sites.length && !sites.includes(siteid)) return false;
  const first = weekOf(started);
  const before = Array.from({ length: Math.max(0, weekOf(at) - first) }, (_, index) => first + index);
  return before.every((week) => lot(member, week) >= relevance.usage_sample);
}

/** Creates the recorder. */
export function createRecorder(options: RecorderOptions) {
  const { store, experiments, pseudonyms, sites, connection, logger, metrics } = options;
  const waiting: RecordedSearch[] = [];
  let periodic: Periodic | undefined;

  /** Whether the last insert failed: an outage is logged once. */
  let isDown = false;

  const drop = (count: number) => metrics.usage.inc({ outcome: 'dropped' }, count);

  const flush = async (): Promise<void> => {
    while (waiting.length) {
      const some = waiting.splice(0, perInsert);
      try {
        // Without a connection the driver would wait, and the searches with it.
        if (connection.readyState !== mongoose.ConnectionStates.connected) throw new Error('MongoDB is down');
        await store.add(some);
        metrics.usage.inc({ outcome: 'stored' }, some.length);
        isDown = false;
      } catch (error) {
        drop(some.length);
        if (!isDown) logger.warn({ err: error }, 'searches are not recorded: MongoDB is down or slow');
        isDown = true;
      }
    }
  };

  return {
    /**
     * Begins to record a search by relevance, if its member is in the sample. Other orders teach nothing, and reveal of their results where
     * the searcher is, or when members joined.
     */
    begin(begun: BegunSearch): Recording | undefined {
      const { member, recorded, siteid, criteria, sortby, page, pagesize, relevance, versions, at } = begun;
      const site = sites.get(siteid);
      if (!recorded || !pseudonyms || !site || sortby !== 'relevance' || relevance.usage_sample === 0)
        return undefined;
      if (pseudonyms.lot(member, weekOf(at)) >= relevance.usage_sample) return undefined;
      const running = experiments.current();
      const experiment = running && takesPart(running, begun, pseudonyms) ? running : undefined;
      const described = describeCriteria(criteria, site);
      const day = startOfUtcDay(at);
      const text = [experiment?.name, member, utcDay(day), classText(described, sortby)].join('\n');
      const trial = experiment && { experiment, seed: pseudonyms.seed(text) };
      return {
        trial,
        end(shown, teams) {
          if (waiting.length >= most) return drop(1);
          const search: RecordedSearch = {
            _id: randomUUID(),
            searcher: pseudonyms.of('searcher', member, at),
            day,
            siteid,
            sortby,
            pagesize,
            criteria: described,
            versions,
            first: (page - 1) * pagesize + 1,
            shown: shown.map((id) => (id === null ? '' : pseudonyms.of('shown', id, at))),
            ...(trial &&
              teams !== undefined && {
                draft: { experiment: trial.experiment.name, teams },
              }),
          };
          waiting.push(search);
        },
      };
    },
    /** Stores what waits. */
    flush,
    start() {
      periodic = startPeriodic({ name: 'usage', everyMs, lease: noLease, work: flush, logger, metrics });
    },
    async close(): Promise<void> {
      const stored = (async () => {
        await periodic?.close();
        await flush();
      })();
      // MongoDB may be connected and not answer: what it does not take by then is dropped.
      await Promise.race([stored, wait(closeLimitMs, undefined, { ref: false })]);
      if (waiting.length) drop(waiting.splice(0).length);
    },
  };
}
