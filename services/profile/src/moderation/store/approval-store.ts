import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { summarize, type SiteSummary } from './queue-store.ts';

/** An action that needs a second person. */
export type ApprovalAction = 'delete' | 'refund';

/** The end of a request. `void`: it was approved, or was about to be, but can no longer be executed. */
export type ApprovalOutcome = 'approved' | 'refused' | 'void';

/** A request of staff that takes effect once a second person approves it. */
export interface Approval {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly action: ApprovalAction;
  /** The subject of the request; at most one request on it waits at a time. */
  readonly subject: string;
  readonly member: number;
  /** Absent of an erased member. */
  readonly siteid?: number | undefined;
  /** The member of staff who made the request. */
  readonly staff: string;
  readonly at: Date;
  readonly expires_at: Date;
  /** The input of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Of a deletion: whether the member was suspended. */
  readonly suspended?: boolean;
  /** Of a refund, in minor units. */
  readonly amount?: number;
  readonly currency?: string;
  /** Set until it is decided. */
  readonly waits?: true;
  readonly decided?: {
    readonly at: Date;
    readonly staff: string;
    /** Id of the decision that it causes. */
    readonly as: string;
    readonly outcome: ApprovalOutcome;
  };
  /** When the member was erased while it waited. Then it only says who asked for what, about whom and when. */
  readonly erased_at?: Date;
  /** Set from the approval until what was asked for is done. */
  readonly runs?: true;
  /** When it was last attempted after its call had failed. */
  readonly tried_at?: Date;
}

/** Seconds that a request is kept after it has expired. */
const keptSeconds = 90 * 24 * 60 * 60;

const schema = collectionSchema<Stored<Approval>>(
  'approvals',
  {
    ...required({ _id: String, action: String, subject: String, member: Number, staff: String }),
    ...required({ at: Date, expires_at: Date }),
    siteid: Number,
    input: { type: Schema.Types.Mixed, required: true },
    suspended: Boolean,
    amount: Number,
    currency: String,
    waits: Boolean,
    decided: subdocument(required({ at: Date, staff: String, as: String, outcome: String })),
    erased_at: Date,
    runs: Boolean,
    tried_at: Date,
  },
  { minimize: false },
);
schema.index({ subject: 1 }, { unique: true, partialFilterExpression: { waits: true } });
schema.index({ action: 1, siteid: 1, _id: 1 }, { partialFilterExpression: { waits: true } });
schema.index({ siteid: 1, _id: -1 });
schema.index({ member: 1 });
schema.index({ runs: 1 }, { sparse: true });
schema.index({ expires_at: 1 }, { expireAfterSeconds: keptSeconds });

/** The requests of one action on some sites, null for every site. */
export interface ApprovalsOn {
  readonly action: ApprovalAction;
  readonly siteids: readonly number[] | null;
}

const placesOf = (on: readonly ApprovalsOn[]) =>
  on.map(({ action, siteids }) => ({ action, ...(siteids && { siteid: { $in: [...siteids] } }) }));

/** Creates the store on the `approvals` collection. */
export function createApprovalStore(connection: Connection) {
  const model = connection.model('Approval', schema);
  const records = recordsOf<Approval>(model);
  return {
    /** Adds a request, or returns the one about the same that waits. */
    async add(request: Approval): Promise<Approval> {
      const { subject, at } = request;
      await records.update({ subject, waits: true, expires_at: { $lte: at } }, { $unset: { waits: 1 } });
      if (await unlessDuplicate(records.add(request))) return request;
      // The one that waited may be decided by now.
      return (await records.one({ subject, waits: true })) ?? this.add(request);
    },
    find: (id: string): Promise<Approval | undefined> => records.one({ _id: id }),
    /** Requests that wait, oldest first, behind the request `after`. */
    waiting(
      on: readonly ApprovalsOn[],
      now: Date,
      after: string | undefined,
      limit: number,
    ): Promise<Approval[]> {
      const behind = after && { _id: { $gt: after } };
      const waits = { waits: true, $or: placesOf(on), expires_at: { $gt: now }, ...behind };
      return records.many(waits, { sort: { _id: 1 }, limit });
    },
    /** Requests that have ended, newest first, older than the request `before`, as long as they are kept. */
    ended(
      on: readonly ApprovalsOn[],
      now: Date,
      before: string | undefined,
      limit: number,
    ): Promise<Approval[]> {
      const has = { $exists: true };
      const isEnded = { $or: [{ decided: has }, { erased_at: has }, { expires_at: { $lte: now } }] };
      const ended = { $and: [{ $or: placesOf(on) }, isEnded], ...(before && { _id: { $lt: before } }) };
      return records.many(ended, { sort: { _id: -1 }, limit });
    },
    /** Counts the requests that wait, by site. */
    summary: (siteids: readonly number[], now: Date): Promise<SiteSummary[]> =>
      summarize(model, 'at', siteids, { waits: true, expires_at: { $gt: now } }),
    /** Decides a request that waits. Resolves with the request as it is then. */
    async decide(id: string, decided: NonNullable<Approval['decided']>): Promise<Approval | undefined> {
      const runs = decided.outcome === 'approved' && { runs: true };
      await records.update(
        { _id: id, waits: true, expires_at: { $gt: decided.at } },
        { $set: { decided, ...runs }, $unset: { waits: 1 } },
      );
      return records.one({ _id: id });
    },
    /** Ends the run of an approved request: it is done, or void. */
    end: (id: string, outcome: 'approved' | 'void') =>
      records.update({ _id: id, runs: true }, { $set: { 'decided.outcome': outcome }, $unset: { runs: 1 } }),
    /** Requests that were approved before a time and are not done, those first that were not attempted for longest. */
    undone: (before: Date, limit: number): Promise<Approval[]> =>
      records.many({ runs: true, 'decided.at': { $lt: before } }, { sort: { tried_at: 1, _id: 1 }, limit }),
    /** Those of a member. */
    undoneOf: (member: number): Promise<Approval[]> => records.many({ member, runs: true }),
    tried: (id: string, at: Date) => records.update({ _id: id }, { $set: { tried_at: at } }),
    /** Forgets the requests about a member who is erased, and ends those that wait, so that who asked sees why. */
    async erase(member: number, erased_at: Date) {
      const details = { waits: 1, suspended: 1, amount: 1, currency: 1 };
      const ended = { $set: { erased_at, subject: 'erased', input: {} }, $unset: details };
      await records.updateAll({ member, waits: true, expires_at: { $gt: erased_at } }, ended);
      await records.removeAll({ member, erased_at: { $exists: false } });
    },
  };
}
