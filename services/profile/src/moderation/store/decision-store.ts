import { required, subdocument } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { restrictions } from '@covalence/contract/internal/decisions-api';
import type { ClosedAccount, HeldPhoto, Decision } from '../../members/document/member.ts';
import type { Report } from './report-store.ts';

interface DecisionDocument extends Omit<Decision, 'id'> {
  readonly _id: string;
}

const schema = new Schema<DecisionDocument>(
  {
    ...required({ _id: String, member: Number, staff: String, action: String, at: Date }),
    approved_by: String,
    reason: String,
    reason_id: String,
    detection: String,
    field: String,
    photo: Number,
    report: String,
    evidence: String,
    undoes: String,
    ineffective: Boolean,
    unbans: { type: [{ id: String, expires_at: Date, _id: false }], default: undefined },
    closed: subdocument(required({ member_id: String, siteid: Number, locale: String, until: Date })),
    rejected: subdocument({
      since: { type: Date, required: true },
      text: String,
      photo: subdocument({
        ...required({ id: Number, stem: String, extension: String }),
        sizes: [Number],
        caption: String,
      }),
    }),
    before: String,
    after: String,
    statement: subdocument({
      ...required({ ground: String, basis: String, text: String, reported: Boolean, detected: Boolean }),
      clause: String,
      facts: String,
      misuse: String,
      ban_until: Date,
      everywhere: Boolean,
    }),
    tell_at: Date,
    warn_at: Date,
  },
  { collection: 'decisions', versionKey: false, strict: 'throw' },
);
// Ids are UUIDv7, so they sort by time.
schema.index({ member: 1, _id: -1 });
schema.index({ at: 1 });
schema.index({ 'rejected.since': 1 }, { sparse: true });
schema.index({ tell_at: 1 }, { sparse: true });
schema.index({ warn_at: 1 }, { sparse: true });
schema.index({ unbans: 1 }, { sparse: true });
schema.index({ 'rejected.photo.id': 1 }, { sparse: true });
schema.index({ 'closed.until': 1 }, { sparse: true });

const asDecision = ({ _id, ...rest }: DecisionDocument): Decision => ({ id: _id, ...rest });

const asDocument = ({ id, ...rest }: Decision): DecisionDocument => ({ _id: id, ...rest });

/** The decisions that replace a restriction. */
const replacing: Partial<Record<Decision['action'], readonly Decision['action'][]>> = {
  reject: ['approve', 'reject'],
  'reject-text': ['approve-text', 'reject-text'],
  'reject-photo': ['approve-photo', 'reject-photo'],
  suspend: ['suspend', 'unsuspend'],
  delete: ['delete', 'undelete'],
  ban: ['ban', 'unban'],
};

/** The decisions that answer an appeal against the decision that they undo. */
const granting: readonly Decision['action'][] = ['grant-appeal', 'reopen-report', 'unsuspend', 'undelete'];

/** Creates the store on the `decisions` collection. */
export function createDecisionStore(connection: Connection) {
  const model = connection.model('Decision', schema);
  /** The decisions among `ids` that were undone. */
  const undoneOf = async (member: number, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const undone = await model.distinct('undoes', { member, undoes: { $in: [...ids] } });
    return new Set(undone.filter((id) => id !== undefined && id !== null));
  };
  return {
    /** Adds entries. Idempotent. */
    async append(decisions: readonly Decision[]) {
      for (const decision of decisions) {
        await unlessDuplicate(model.create(asDocument(decision)));
      }
    },
    /** Entries of a member, newest first, older than the entry `before`. */
    async of(member: number, before: string | undefined, limit: number): Promise<Decision[]> {
      const found = await model
        .find({ member, ...(before && { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    /** Whether a decision restricted something of a member since a time, and was not taken back. */
    async hasRestricted(member: number, since: Date): Promise<boolean> {
      const restricted = { member, action: { $in: [...restrictions] }, at: { $gte: since } };
      const found = await model.find(restricted, { _id: 1 }).lean<Pick<DecisionDocument, '_id'>[]>();
      const undone = await undoneOf(
        member,
        found.map(({ _id }) => _id),
      );
      return found.length > undone.size;
    },
    undoneOf,
    /** Restrictions of a member since a time that were not taken back. */
    async standingSince(member: number, since: Date): Promise<Decision[]> {
      const stated = { member, statement: { $exists: true }, at: { $gt: since } };
      const found = await model.find(stated, { rejected: 0 }).lean<DecisionDocument[]>();
      const ids = found.map(({ _id }) => _id);
      const undone = await undoneOf(member, ids);
      return found.filter(({ _id }) => !undone.has(_id)).map(asDecision);
    },
    /** Decisions of some actions, and those that a program pointed to, from one time until before another. */
    async between(from: Date, to: Date, actions: readonly Decision['action'][]): Promise<Decision[]> {
      const isCounted = { $or: [{ action: { $in: [...actions] } }, { detection: { $exists: true } }] };
      const found = await model
        .find({ at: { $gte: from, $lt: to }, ...isCounted }, { rejected: 0, before: 0, after: 0 })
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    /** The most decisions of some actions that one staff account has made since a time. */
    async mostOfOneSince(since: Date, actions: readonly Decision['action'][]): Promise<number> {
      const [most] = await model.aggregate<{ readonly made: number }>([
        { $match: { at: { $gte: since }, action: { $in: [...actions] } } },
        { $group: { _id: '$staff', made: { $sum: 1 } } },
        { $sort: { made: -1 } },
        { $limit: 1 },
      ]);
      return most?.made ?? 0;
    },
    /** Decisions that were undone from one time until before another. */
    async undoneBetween(from: Date, to: Date): Promise<ReadonlySet<string>> {
      const undone = await model.distinct('undoes', { at: { $gte: from, $lt: to }, action: 'undo' });
      return new Set(undone.filter((id) => id !== undefined && id !== null));
    },
    async find(id: string): Promise<Decision | undefined> {
      const found = await model.findById(id).lean<DecisionDocument>();
      return found ? asDecision(found) : undefined;
    },
    /** The latest decision of an action on a member. */
    async latest(member: number, action: Decision['action']): Promise<Decision | undefined> {
      const found = await model.findOne({ member, action }).sort({ _id: -1 }).lean<DecisionDocument>();
      return found ? asDecision(found) : undefined;
    },
    /** The decision that granted an appeal against another one, or did what a grant does. */
    async granting({ id: undoes, member }: Pick<Decision, 'id' | 'member'>): Promise<Decision | undefined> {
      const action = { $in: [...granting] };
      const found = await model.findOne({ member, undoes, action }).sort({ _id: 1 }).lean<DecisionDocument>();
      return found ? asDecision(found) : undefined;
    },
    /** The latest decision on the same thing that is in force after another one. */
    async replacementOf({ id, member, action, field, photo }: Decision): Promise<Decision | undefined> {
      const about = { ...(field !== undefined && { field }), ...(photo !== undefined && { photo }) };
      const later = await model
        .find({ member, action: { $in: [...(replacing[action] ?? [])] }, ...about, _id: { $gt: id } })
        .sort({ _id: -1 })
        .lean<DecisionDocument[]>();
      const undone = await undoneOf(
        member,
        later.map(({ _id }) => _id),
      );
      const found = later.find(({ _id }) => !undone.has(_id));
      return found ? asDecision(found) : undefined;
    },
    /** Restrictions of a member with their statements, newest first, older than the entry `before`. */
    async statementsTo(member: number, before: string | undefined, limit: number): Promise<Decision[]> {
      const found = await model
        .find({ member, statement: { $exists: true }, ...(before && { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    /** Decisions that are to be told by now, the oldest first. */
    async toTell(now: Date, limit: number): Promise<Decision[]> {
      const due = model.find({ tell_at: { $lte: now } }).sort({ tell_at: 1 });
      return (await due.limit(limit).lean<DecisionDocument[]>()).map(asDecision);
    },
    async told(id: string) {
      await model.updateOne({ _id: id }, { $unset: { tell_at: 1 } });
    },
    /** Bans for fraud that others are to be warned of by now, the oldest first. */
    async toWarn(now: Date, limit: number): Promise<Decision[]> {
      const due = model.find({ warn_at: { $lte: now } }).sort({ warn_at: 1 });
      return (await due.limit(limit).lean<DecisionDocument[]>()).map(asDecision);
    },
    async warned(id: string) {
      await model.updateOne({ _id: id }, { $unset: { warn_at: 1 } });
    },
    /** Approvals that still have to remove entries of the ban list: of a member, or from before a time. */
    async toUnban(of: { readonly member: number } | { readonly before: Date }, limit: number) {
      const which = 'member' in of ? of : { at: { $lt: of.before } };
      const left = model.find({ unbans: { $exists: true }, ...which }).limit(limit);
      return (await left.lean<DecisionDocument[]>()).map(asDecision);
    },
    async unbanned(id: string) {
      await model.updateOne({ _id: id }, { $unset: { unbans: 1 } });
    },
    async holding(photo: number): Promise<HeldPhoto | undefined> {
      const found = await model.findOne({ 'rejected.photo.id': photo }).lean<DecisionDocument>();
      return found?.rejected?.photo;
    },
    async heldOf(member: number): Promise<HeldPhoto[]> {
      const found = await model
        .find({ member, 'rejected.photo.id': { $exists: true } })
        .lean<DecisionDocument[]>();
      return found.flatMap(({ rejected }) => rejected?.photo ?? []);
    },
    /** Rejections from before a time that still keep a text or photo, the oldest first. */
    async rejectedBefore(time: Date, limit: number): Promise<Decision[]> {
      const found = await model
        .find({ 'rejected.since': { $lt: time } })
        .sort({ 'rejected.since': 1 })
        .limit(limit)
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    async forgetRejected(id: string) {
      await model.updateOne({ _id: id }, { $unset: { rejected: 1 } });
    },
    /** Removes report ids from entries, because they contain the reporter's id. */
    async forgetReports(reports: readonly Pick<Report, '_id' | 'reported'>[]) {
      const named = {
        member: { $in: reports.map(({ reported }) => reported) },
        report: { $in: reports.map(({ _id }) => _id) },
      };
      if (reports.length) await model.updateMany(named, { $unset: { report: 1 } });
    },
    /** Keeps a deletion for appeals after the erasure of its member, without the report that led to it. */
    async close(id: string, closed: ClosedAccount) {
      await model.updateOne({ _id: id }, { $set: { closed }, $unset: { report: 1 } });
    },
    /** The deletions of a member that are kept for appeals after the erasure. */
    closedOf: async (member: number): Promise<string[]> =>
      (await model.find({ member, closed: { $exists: true } }, { _id: 1 }).lean<{ _id: string }[]>()).map(
        ({ _id }) => _id,
      ),
    /** Deletions of erased members that are no longer to be kept. */
    async closedUntil(now: Date, limit: number): Promise<Decision[]> {
      const over = model.find({ 'closed.until': { $lte: now } }).sort({ 'closed.until': 1 });
      return (await over.limit(limit).lean<DecisionDocument[]>()).map(asDecision);
    },
    /** Erases the history of an erased member, except who viewed evidence that is left. */
    async eraseClosed(member: number) {
      await model.deleteMany({ member, evidence: { $exists: false } });
    },
    async erase(member: number) {
      await model.deleteMany({ member, closed: { $exists: false } });
    },
  };
}
