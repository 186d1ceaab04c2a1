import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import { restrictions } from '@covalence/contract/peers/decisions-api';
import type { ClosedAccount, HeldPhoto, Decision } from '../../members/document/member.ts';
import type { Report } from './report-store.ts';

const schema = collectionSchema<Stored<Decision>>('decisions', {
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
});
// Ids are UUIDv7, so they sort by time.
schema.index({ member: 1, _id: -1 });
schema.index({ at: 1 });
schema.index({ 'rejected.since': 1 }, { sparse: true });
schema.index({ tell_at: 1 }, { sparse: true });
schema.index({ warn_at: 1 }, { sparse: true });
schema.index({ unbans: 1 }, { sparse: true });
schema.index({ 'rejected.photo.id': 1 }, { sparse: true });
schema.index({ 'closed.until': 1 }, { sparse: true });

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
  const records = recordsOf<Decision>(model);
  const undoneBy = async (undoing: object): Promise<ReadonlySet<string>> => {
    const undone = await model.distinct('undoes', undoing);
    return new Set(undone.filter((id) => id !== undefined && id !== null));
  };
  /** The decisions among `ids` that were undone. */
  const undoneOf = (member: number, ids: readonly string[]) =>
    undoneBy({ member, undoes: { $in: [...ids] } });
  /** Those of some decisions on a member that were not undone. */
  const standing = async (member: number, decisions: readonly Decision[]): Promise<Decision[]> => {
    const ids = decisions.map(({ id }) => id);
    const undone = await undoneOf(member, ids);
    return decisions.filter(({ id }) => !undone.has(id));
  };
  /** Removes a field of which nothing is left to do. */
  const settles = (field: 'tell_at' | 'warn_at' | 'unbans' | 'rejected') => (id: string) =>
    records.update({ _id: id }, { $unset: { [field]: 1 } });
  return {
    /** Adds entries. Idempotent. */
    async append(decisions: readonly Decision[]) {
      for (const decision of decisions) await unlessDuplicate(records.add(decision));
    },
    /** Entries of a member, newest first, older than the entry `before`. */
    of: (member: number, before: string | undefined, limit: number): Promise<Decision[]> =>
      records.many({ member, ...(before && { _id: { $lt: before } }) }, { sort: { _id: -1 }, limit }),
    /** Whether a decision restricted something of a member since a time, and was not taken back. */
    async hasRestricted(member: number, since: Date): Promise<boolean> {
      const restricted = { member, action: { $in: [...restrictions] }, at: { $gte: since } };
      const ids = await records.ids(restricted);
      return ids.length > (await undoneOf(member, ids)).size;
    },
    undoneOf,
    isUndone: async ({ id, member }: Pick<Decision, 'id' | 'member'>): Promise<boolean> =>
      (await undoneOf(member, [id])).size > 0,
    standing,
    /** Restrictions of a member since a time that were not taken back. */
    async inForceSince(member: number, since: Date): Promise<Decision[]> {
      const stated = { member, statement: { $exists: true }, at: { $gt: since } };
      return standing(member, await records.many(stated, { shown: { rejected: 0 } }));
    },
    /** Decisions of some actions, and those that a program pointed to, from one time until before another. */
    between(from: Date, to: Date, actions: readonly Decision['action'][]): Promise<Decision[]> {
      const isCounted = { $or: [{ action: { $in: [...actions] } }, { detection: { $exists: true } }] };
      const counted = { at: { $gte: from, $lt: to }, ...isCounted };
      return records.many(counted, { shown: { rejected: 0, before: 0, after: 0 } });
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
    undoneBetween: (from: Date, to: Date) => undoneBy({ at: { $gte: from, $lt: to }, action: 'undo' }),
    find: (id: string): Promise<Decision | undefined> => records.one({ _id: id }),
    /** The latest decision of an action on a member. */
    latest: (member: number, action: Decision['action']): Promise<Decision | undefined> =>
      records.one({ member, action }, { sort: { _id: -1 } }),
    /** The decision that granted an appeal against another one, or did what a grant does. */
    granting: ({ id: undoes, member }: Pick<Decision, 'id' | 'member'>): Promise<Decision | undefined> =>
      records.one({ member, undoes, action: { $in: [...granting] } }, { sort: { _id: 1 } }),
    /** The latest decision on the same thing that is in force after another one. */
    async replacementOf({ id, member, action, field, photo }: Decision): Promise<Decision | undefined> {
      const about = { ...(field !== undefined && { field }), ...(photo !== undefined && { photo }) };
      const replaces = { action: { $in: [...(replacing[action] ?? [])] }, ...about };
      const later = await records.many({ member, ...replaces, _id: { $gt: id } }, { sort: { _id: -1 } });
      return (await standing(member, later))[0];
    },
    /** Restrictions of a member with their statements, newest first, older than the entry `before`. */
    statementsTo(member: number, before: string | undefined, limit: number): Promise<Decision[]> {
      const stated = { member, statement: { $exists: true }, ...(before && { _id: { $lt: before } }) };
      return records.many(stated, { sort: { _id: -1 }, limit });
    },
    /** Decisions whose members are to be notified by now, the oldest first. */
    dueForNotification: (now: Date, limit: number): Promise<Decision[]> =>
      records.many({ tell_at: { $lte: now } }, { sort: { tell_at: 1 }, limit }),
    notified: settles('tell_at'),
    /** Bans for fraud that others are to be warned of by now, the oldest first. */
    toWarn: (now: Date, limit: number): Promise<Decision[]> =>
      records.many({ warn_at: { $lte: now } }, { sort: { warn_at: 1 }, limit }),
    warned: settles('warn_at'),
    /** Approvals that still have to remove entries of the ban list: of a member, or from before a time. */
    toUnban(of: { readonly member: number } | { readonly before: Date }, limit: number) {
      const which = 'member' in of ? of : { at: { $lt: of.before } };
      return records.many({ unbans: { $exists: true }, ...which }, { limit });
    },
    unbanned: settles('unbans'),
    async holding(photo: number): Promise<HeldPhoto | undefined> {
      return (await records.one({ 'rejected.photo.id': photo }))?.rejected?.photo;
    },
    async heldOf(member: number): Promise<HeldPhoto[]> {
      const found = await records.many({ member, 'rejected.photo.id': { $exists: true } });
      return found.flatMap(({ rejected }) => rejected?.photo ?? []);
    },
    /** Rejections from before a time that still keep a text or photo, the oldest first. */
    rejectedBefore: (time: Date, limit: number): Promise<Decision[]> =>
      records.many({ 'rejected.since': { $lt: time } }, { sort: { 'rejected.since': 1 }, limit }),
    forgetRejected: settles('rejected'),
    /** Removes report ids from entries, because they contain the reporter's id. */
    async forgetReports(reports: readonly Pick<Report, '_id' | 'reported'>[]) {
      const named = {
        member: { $in: reports.map(({ reported }) => reported) },
        report: { $in: reports.map(({ _id }) => _id) },
      };
      if (reports.length) await records.updateAll(named, { $unset: { report: 1 } });
    },
    /** Keeps a deletion for appeals after the erasure of its member, without the report that led to it. */
    close: (id: string, closed: ClosedAccount) =>
      records.update({ _id: id }, { $set: { closed }, $unset: { report: 1 } }),
    /** The deletions of a member that are kept for appeals after the erasure. */
    closedOf: (member: number): Promise<string[]> => records.ids({ member, closed: { $exists: true } }),
    /** Deletions of erased members that are no longer to be kept. */
    closedUntil: (now: Date, limit: number): Promise<Decision[]> =>
      records.many({ 'closed.until': { $lte: now } }, { sort: { 'closed.until': 1 }, limit }),
    /** Erases the history of an erased member, except who viewed evidence that is left. */
    eraseClosed: (member: number) => records.removeAll({ member, evidence: { $exists: false } }),
    erase: (member: number) => records.removeAll({ member, closed: { $exists: false } }),
  };
}
