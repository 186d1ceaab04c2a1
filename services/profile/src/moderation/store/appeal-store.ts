import type { AppealState } from '@covalence/contract/peers/appeals-api';
import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import { summarize, type SiteSummary } from './queue-store.ts';

/** The decision on an appeal. */
export type AppealOutcome = Extract<AppealState, 'granted' | 'refused'>;

/** A member's appeal against a decision on them, or on their report; each decision has one at most. */
export interface Appeal {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly decision: string;
  readonly member: number;
  /** The site whose staff decide. */
  readonly siteid: number;
  /** Of an appeal against the closing of a report: the member it is about. */
  readonly reported?: number;
  readonly text: string;
  readonly at: Date;
  /** Set until it is decided. */
  readonly waits?: true;
  readonly decided?: {
    readonly at: Date;
    readonly staff: string;
    /** Id of the history entry of a refusal, and of a grant that changes no member document. */
    readonly as: string;
    readonly outcome: AppealOutcome;
    /** The answer that the member receives. */
    readonly answer?: string;
  };
  /** Set on a granted appeal until the decision is taken back. */
  readonly runs?: true;
  /** Set until the member was notified of the outcome. */
  readonly untold?: true;
}

const schema = collectionSchema<Stored<Appeal>>('appeals', {
  ...required({ _id: String, decision: String, member: Number, siteid: Number, text: String, at: Date }),
  reported: Number,
  waits: Boolean,
  decided: subdocument({
    ...required({ at: Date, staff: String, as: String, outcome: String }),
    answer: String,
  }),
  runs: Boolean,
  untold: Boolean,
});
schema.index({ decision: 1 }, { unique: true });
schema.index({ member: 1 });
schema.index({ reported: 1 }, { sparse: true });
schema.index({ at: 1 });
schema.index({ 'decided.at': 1 }, { sparse: true });
schema.index({ siteid: 1, _id: 1 }, { partialFilterExpression: { waits: true } });
schema.index({ runs: 1 }, { sparse: true });
schema.index({ untold: 1 }, { sparse: true });

/** Creates the store on the `appeals` collection. */
export function createAppealStore(connection: Connection) {
  const model = connection.model('Appeal', schema);
  const records = recordsOf<Appeal>(model);
  return {
    /** Files an appeal. False where the decision has one. */
    file: (appeal: Appeal): Promise<boolean> => unlessDuplicate(records.add(appeal)),
    /** Takes back the filing of an appeal that still waits. */
    withdraw: (id: string) => records.remove({ _id: id, waits: true }),
    /** Counts the appeals about reports of a member that wait. */
    countWaiting: (member: number): Promise<number> =>
      model.countDocuments({ member, reported: { $exists: true }, waits: true }),
    find: (id: string): Promise<Appeal | undefined> => records.one({ _id: id }),
    against: (decision: string): Promise<Appeal | undefined> => records.one({ decision }),
    againstSome: (decisions: readonly string[]): Promise<Appeal[]> =>
      records.many({ decision: { $in: [...decisions] } }),
    /** Appeals that wait on some sites, oldest first, behind the appeal `after`. */
    waiting(siteids: readonly number[], after: string | undefined, limit: number): Promise<Appeal[]> {
      const waits = { siteid: { $in: [...siteids] }, waits: true, ...(after && { _id: { $gt: after } }) };
      return records.many(waits, { sort: { _id: 1 }, limit });
    },
    /** Appeals that were filed or decided from one time until before another. */
    between: (what: 'at' | 'decided.at', from: Date, to: Date): Promise<Appeal[]> =>
      records.many({ [what]: { $gte: from, $lt: to } }),
    /** Counts the appeals that wait, by site. */
    summary: (siteids: readonly number[]): Promise<SiteSummary[]> =>
      summarize(model, 'at', siteids, { waits: true }),
    /** Decides an appeal that waits; a granted one runs from then on. Resolves with the appeal as it is then. */
    async decide(id: string, decided: NonNullable<Appeal['decided']>): Promise<Appeal | undefined> {
      await records.update(
        { _id: id, waits: true },
        {
          $set: { decided, untold: true, ...(decided.outcome === 'granted' && { runs: true }) },
          $unset: { waits: 1 },
        },
      );
      return records.one({ _id: id });
    },
    /** Granted appeals from before a time that still run, the oldest first. */
    running: (before: Date, limit: number): Promise<Appeal[]> =>
      records.many({ runs: true, 'decided.at': { $lt: before } }, { sort: { 'decided.at': 1 }, limit }),
    ran: (id: string) => records.update({ _id: id }, { $unset: { runs: 1 } }),
    /** Decided appeals whose members were not notified, without those that run, the oldest first. */
    dueForNotification: (limit: number): Promise<Appeal[]> =>
      records.many({ untold: true, runs: { $exists: false } }, { sort: { 'decided.at': 1 }, limit }),
    notified: (id: string) => records.update({ _id: id }, { $unset: { untold: 1 } }),
    of: (member: number): Promise<Appeal[]> => records.many({ member }),
    /** Erases the appeals of others about reports of a member. */
    eraseAbout: (reported: number) => records.removeAll({ reported }),
    /** Erases the appeals of a member, except those against some decisions. */
    erase: (member: number, except: readonly string[] = []) =>
      records.removeAll({ member, decision: { $nin: [...except] } }),
  };
}
