import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import { waitingIndex } from '../../members/store/waiting-index.ts';
import {
  mergeSites,
  pageFilter,
  readParts,
  summarize,
  type QueuePage,
  type SiteSummary,
} from './queue-store.ts';

/** Subjects of reports; the reporter chooses one. */
export const reportCategories = [
  'scam',
  'fake_profile',
  'harassment',
  'sexual_content',
  'underage',
  'hate',
  'violence',
  'other',
] as const;

/** The subject of a report. */
export type ReportCategory = (typeof reportCategories)[number];

/** Reports that come first in the queue: a child, or money that is being lost. */
const urgentCategories: readonly ReportCategory[] = ['underage', 'scam'];

/** Results of a decided report, as its reporter reads them. */
export const reportOutcomes = ['measures', 'none'] as const;

/** The result of a decided report. */
export type ReportOutcome = (typeof reportOutcomes)[number];

/** A report of one member by another: open until staff close it, and open again with the next report. */
export interface Report {
  /** `<reported>:<reporter>` */
  readonly _id: string;
  readonly reported: number;
  readonly reporter: number;
  readonly siteid: number;
  readonly category?: ReportCategory;
  readonly reason?: string;
  readonly filed_at: Date;
  /** When it was opened; absent while closed. */
  readonly open_at?: Date;
  readonly closed_at?: Date;
  /** UUID of the staff account that closed it, also by a suspension or deletion. */
  readonly closed_by?: string;
  /** Id of the history entry of the closing, also after an appeal of the reporter opened the report again. */
  readonly closed_as?: string;
  /** A closing in progress: staff account, id of its history entry, and reason. The history is written first. */
  readonly closing?: {
    readonly by: string;
    readonly as: string;
    readonly at: Date;
    readonly reason?: string;
  };
  /** When it had been opened, where a suspension closed it: the end of the suspension opens it again. */
  readonly suspended_from?: Date;
  /** The decision as the reporter reads it. The end of a suspension does not change it; the next report does. */
  readonly decided?: {
    readonly at: Date;
    readonly outcome: ReportOutcome;
    /** Staff decided on this very report, and not on all reports about the member at once. */
    readonly stated: boolean;
    /** It was decided before, and opened again by the end of a suspension or by an appeal. */
    readonly again?: boolean;
    /** The reporter appealed, and the report is open again. */
    readonly taken_back?: boolean;
  };
}

/** Milliseconds after which a closing that did not go on counts as left by a crash. */
export const closingMs = 60_000;

/** An open report. */
export interface OpenReport extends Report {
  readonly open_at: Date;
}

type NewReport = Pick<Report, 'reported' | 'reporter' | 'siteid' | 'category' | 'reason'>;

/** Selects a page of open reports. */
type ReportPage = QueuePage<string> & { readonly category?: ReportCategory | undefined };

const schema = collectionSchema<Report>('reports', {
  ...required({ _id: String, reported: Number, reporter: Number, siteid: Number, filed_at: Date }),
  category: String,
  reason: String,
  open_at: Date,
  closed_at: Date,
  closed_by: String,
  closed_as: String,
  closing: subdocument({ ...required({ by: String, as: String, at: Date }), reason: String }),
  suspended_from: Date,
  decided: subdocument({
    ...required({ at: Date, outcome: String, stated: Boolean }),
    again: Boolean,
    taken_back: Boolean,
  }),
});
schema.index(...waitingIndex('open_at'));
// Urgent ones, and those of one category.
schema.index(
  { siteid: 1, category: 1, open_at: 1, _id: 1 },
  { partialFilterExpression: { open_at: { $exists: true } } },
);
schema.index({ reported: 1 });
schema.index({ filed_at: 1 }, { sparse: true });
schema.index({ 'decided.at': 1 }, { sparse: true });
schema.index({ reporter: 1, reported: 1 });

type Decided = NonNullable<Report['decided']>;
type Closing = NonNullable<Report['closing']>;

const closedBy = (closed_by: string, decided: Decided) => ({ closed_at: decided.at, closed_by, decided });

/** Whether a report comes first in the queue. */
export const isUrgent = ({ category }: Pick<Report, 'category'>): boolean =>
  category !== undefined && urgentCategories.includes(category);

/** Id of a report. */
export const reportKey = (reported: number, reporter: number): string => `${reported}:${reporter}`;

/** Creates the store on the `reports` collection. */
export function createReportStore(connection: Connection) {
  const model = connection.model('Report', schema);
  const documents = documentsOf<Report>(model);
  const openReads = documentsOf<OpenReport>(model);

  /** Files a report. A repeated report keeps its time in the queue. */
  const file = async ({ reported, reporter, siteid, category, reason }: NewReport, at: Date) => {
    const _id = reportKey(reported, reporter);
    const said = { ...(category && { category }), ...(reason !== undefined && { reason }) };
    const { matchedCount } = await model.updateOne(
      { _id, open_at: { $exists: true } },
      { $set: { siteid, ...said } },
    );
    if (matchedCount) return;
    const filed = { reported, reporter, siteid, ...said, filed_at: at, open_at: at };
    // A parallel call that files the same report stores it.
    await unlessDuplicate(
      model.updateOne(
        { _id },
        {
          $set: filed,
          $unset: { closed_at: 1, closed_by: 1, closed_as: 1, suspended_from: 1, decided: 1 },
        },
        { upsert: true },
      ),
    );
  };

  const pageOf = (page: QueuePage<string>, which: object): Promise<OpenReport[]> => {
    const { limit } = page;
    const read = (siteid: number) =>
      openReads.many(
        { ...pageFilter('open_at', siteid, page), ...which },
        { sort: { open_at: 1, _id: 1 }, limit },
      );
    return mergeSites(page, read, ({ open_at }) => open_at);
  };

  return {
    file,
    find: (id: string): Promise<Report | undefined> => documents.one({ _id: id }),
    /** A page of open reports: the urgent ones, then the others, each oldest first. */
    page({ category, ...page }: ReportPage): Promise<OpenReport[]> {
      if (category) return pageOf(page, { category });
      return readParts(page, (part, isFirst) =>
        pageOf(part, { category: { [isFirst ? '$in' : '$nin']: urgentCategories } }),
      );
    },
    /** Counts the open reports, by site. */
    summary: (siteids: readonly number[]): Promise<SiteSummary[]> => summarize(model, 'open_at', siteids),
    /** Notes a closing of an open report. One that another call has just noted stands instead. Undefined where it is closed. */
    async beginClosing(id: string, closing: Closing): Promise<Closing | undefined> {
      const isOpen = { _id: id, open_at: { $exists: true } };
      const left = { 'closing.at': { $lte: new Date(closing.at.getTime() - closingMs) } };
      const isFree = { $or: [{ closing: { $exists: false } }, left] };
      await documents.update({ ...isOpen, ...isFree }, { $set: { closing } });
      return (await documents.one(isOpen, { shown: { closing: 1 } }))?.closing;
    },
    /** Closes a report; `as` is the id of the history entry. False where it was closed already. */
    async close(
      id: string,
      { by, as, decided }: { readonly by: string; readonly as: string; readonly decided: Decided },
    ): Promise<boolean> {
      const earlier = await model.exists({ _id: id, decided: { $exists: true } });
      const { modifiedCount } = await model.updateOne(
        { _id: id, open_at: { $exists: true } },
        {
          $set: { ...closedBy(by, { ...decided, ...(earlier && { again: true }) }), closed_as: as },
          $unset: { open_at: 1, closing: 1 },
        },
      );
      return modifiedCount === 1;
    },
    /** Closes every report about a member; `stated` is the one that staff decided on. */
    async closeAllOf(
      reported: number,
      { by, at, stated }: { readonly by: string; readonly at: Date; readonly stated?: string | undefined },
    ) {
      const open = await openReads.many({ reported, open_at: { $exists: true } });
      const decidedAs = ({ _id, decided: earlier }: Report): Decided => ({
        at,
        outcome: 'measures',
        stated: _id === stated,
        ...(earlier && { again: true }),
      });
      for (const { _id, open_at, ...report } of open)
        await documents.update(
          { _id, open_at },
          {
            $set: { ...closedBy(by, decidedAs({ _id, ...report })), suspended_from: open_at },
            $unset: { open_at: 1, closing: 1, closed_as: 1 },
          },
        );
    },
    /** Opens a report again whose last closing was this one, as the newest of the queue. */
    reopen: (id: string, closed_as: string, open_at: Date) =>
      documents.update(
        { _id: id, closed_as, open_at: { $exists: false }, decided: { $exists: true } },
        { $set: { open_at, 'decided.taken_back': true }, $unset: { closed_at: 1, closed_by: 1 } },
      ),
    /** Opens the reports again that a suspension closed, with their former time. */
    async reopenAllOf(reported: number) {
      const isClosed = { open_at: { $exists: false } };
      const closed = await documents.many({ reported, ...isClosed, suspended_from: { $exists: true } });
      for (const { _id, suspended_from } of closed)
        await documents.update(
          { _id, ...isClosed, suspended_from },
          { $set: { open_at: suspended_from }, $unset: { closed_at: 1, closed_by: 1, suspended_from: 1 } },
        );
    },
    /** Reports that were filed or decided from one time until before another. */
    between: (what: 'filed_at' | 'decided.at', from: Date, to: Date): Promise<Report[]> =>
      documents.many({ [what]: { $gte: from, $lt: to } }),
    about: (reported: number): Promise<Report[]> => documents.many({ reported }),
    /** Reports of a member, by the number of the reported; behind a number, or all. */
    filedBy: (reporter: number, limit = 0, after = 0): Promise<Report[]> =>
      documents.many({ reporter, reported: { $gt: after } }, { sort: { reported: 1 }, limit }),
    async erase(member: number) {
      await documents.removeAll({ reported: member });
      await documents.removeAll({ reporter: member });
    },
  };
}
