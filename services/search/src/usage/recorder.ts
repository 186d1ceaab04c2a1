import { startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Sites } from '@covalence/contract/sites';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import type { QueryCriterion } from '../criteria/parse-forms.ts';
import type { SortBy } from '../relevance/sort.ts';
import { describeCriteria } from './describe-search.ts';
import { weekOf, type Pseudonyms } from './pseudonyms.ts';
import {
  dayOf,
  type Draft,
  type RecordedSearch,
  type SettingsVersions,
  type UsageStore,
} from './usage-store.ts';

/** A search that was answered. */
export interface AnsweredSearch {
  readonly member: number;
  readonly siteid: number;
  readonly criteria: readonly QueryCriterion[];
  readonly sortby: SortBy;
  readonly page: number;
  readonly pagesize: number;
  readonly versions: SettingsVersions;
  /** The members that the page shows. */
  readonly shown: readonly number[];
  readonly draft?: Draft | undefined;
  readonly at: Date;
}

/** Records searches beside their answers: nobody waits for it, and what cannot be stored is dropped. */
export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderOptions {
  readonly store: UsageStore;
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

/** Each process has searches of its own to store. */
const noLease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };

/** Creates the recorder. */
export function createRecorder({ store, pseudonyms, sites, connection, logger, metrics }: RecorderOptions) {
  let waiting: { search: RecordedSearch; at: Date }[] = [];
  let periodic: Periodic | undefined;

  const drop = (count: number) => metrics.usage.inc({ outcome: 'dropped' }, count);

  const flush = async (): Promise<void> => {
    while (waiting.length) {
      const some = waiting.splice(0, perInsert);
      // Without a connection the driver would wait, and the searches with it.
      const isConnected = connection.readyState === mongoose.ConnectionStates.connected;
      try {
        if (!isConnected) throw new Error('MongoDB is down');
        await store.add(some);
        metrics.usage.inc({ outcome: 'stored' }, some.length);
      } catch (error) {
        drop(some.length);
        logger.warn({ err: error, searches: some.length }, 'searches not recorded');
      }
    }
  };

  return {
    /** Whether searches of a member are recorded now. */
    doesRecord: (member: number, sample: number, at: Date): boolean =>
      pseudonyms !== undefined && sample > 0 && pseudonyms.lot(member, weekOf(at)) < sample,
    /** Notes a search whose member is in the sample. */
    note({ member, siteid, criteria, page, shown, at, draft, ...rest }: AnsweredSearch): void {
      const site = sites.get(siteid);
      if (!pseudonyms || !site) return;
      if (waiting.length >= most) return drop(1);
      const search: RecordedSearch = {
        ...rest,
        _id: randomUUID(),
        searcher: pseudonyms.of('searcher', member, at),
        day: dayOf(at),
        siteid,
        criteria: describeCriteria(criteria, site),
        first: (page - 1) * rest.pagesize + 1,
        shown: shown.map((id) => pseudonyms.of('shown', id, at)),
        ...(draft && { draft }),
      };
      waiting.push({ search, at });
    },
    /** Stores what waits. */
    flush,
    start() {
      periodic = startPeriodic({ name: 'usage', everyMs, lease: noLease, work: flush, logger, metrics });
    },
    async close(): Promise<void> {
      await periodic?.close();
      await flush();
    },
  };
}
