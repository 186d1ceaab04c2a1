import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import type { HeldPhoto, Decision } from '../members/document/decision.ts';
import type { Report } from './report-store.ts';

/** The history of decisions. Rejected content is deleted when retention ends, and everything when the member is erased. */
export interface DecisionStore {
  /** Adds entries. Idempotent. */
  append(decisions: readonly Decision[]): Promise<void>;
  /** Entries of a member, newest first, older than the entry `before`. */
  of(member: number, before: string | undefined, limit: number): Promise<Decision[]>;
  /** A photo that a rejection keeps. */
  holding(photo: number): Promise<HeldPhoto | undefined>;
  /** Every photo that rejections of a member keep. */
  heldOf(member: number): Promise<HeldPhoto[]>;
  /** Rejections from before a time that still keep a text or photo, the oldest first. */
  rejectedBefore(time: Date, limit: number): Promise<Decision[]>;
  /** Deletes the rejected content of an entry. */
  forgetRejected(id: string): Promise<void>;
  /** Removes report ids from entries, because they contain the reporter's id. */
  forgetReports(reports: readonly Pick<Report, '_id' | 'reported'>[]): Promise<void>;
  /** Deletes the history of a member who is erased. */
  erase(member: number): Promise<void>;
}

interface DecisionDocument extends Omit<Decision, 'id'> {
  readonly _id: string;
}

const part = (definition: object) => new Schema(definition, { _id: false, strict: 'throw' });

const schema = new Schema<DecisionDocument>(
  {
    _id: { type: String, required: true },
    member: { type: Number, required: true },
    staff: { type: String, required: true },
    action: { type: String, required: true },
    at: { type: Date, required: true },
    reason: String,
    field: String,
    photo: Number,
    report: String,
    evidence: String,
    rejected: part({
      since: { type: Date, required: true },
      text: String,
      photo: part({
        id: { type: Number, required: true },
        stem: { type: String, required: true },
        extension: { type: String, required: true },
        sizes: [Number],
        caption: String,
      }),
    }),
    before: String,
    after: String,
  },
  { collection: 'decisions', versionKey: false, strict: 'throw' },
);
// Ids are UUIDv7, so they sort by time.
schema.index({ member: 1, _id: -1 });
schema.index({ 'rejected.since': 1 }, { sparse: true });
schema.index({ 'rejected.photo.id': 1 }, { sparse: true });

const asDecision = ({ _id, ...rest }: DecisionDocument): Decision => ({ id: _id, ...rest });

const asDocument = ({ id, ...rest }: Decision): DecisionDocument => ({ _id: id, ...rest });

/** Creates the store on the `decisions` collection. */
export function createDecisionStore(connection: Connection): DecisionStore {
  const model = connection.model('Decision', schema);
  return {
    async append(decisions) {
      for (const decision of decisions) {
        await unlessDuplicate(model.create(asDocument(decision)));
      }
    },
    async of(member, before, limit) {
      const found = await model
        .find({ member, ...(before && { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    async holding(photo) {
      const found = await model.findOne({ 'rejected.photo.id': photo }).lean<DecisionDocument>();
      return found?.rejected?.photo;
    },
    async heldOf(member) {
      const found = await model
        .find({ member, 'rejected.photo.id': { $exists: true } })
        .lean<DecisionDocument[]>();
      return found.flatMap(({ rejected }) => rejected?.photo ?? []);
    },
    async rejectedBefore(time, limit) {
      const found = await model
        .find({ 'rejected.since': { $lt: time } })
        .sort({ 'rejected.since': 1 })
        .limit(limit)
        .lean<DecisionDocument[]>();
      return found.map(asDecision);
    },
    async forgetRejected(id) {
      await model.updateOne({ _id: id }, { $unset: { rejected: 1 } });
    },
    async forgetReports(reports) {
      const named = {
        member: { $in: reports.map(({ reported }) => reported) },
        report: { $in: reports.map(({ _id }) => _id) },
      };
      if (reports.length) await model.updateMany(named, { $unset: { report: 1 } });
    },
    async erase(member) {
      await model.deleteMany({ member });
    },
  };
}
