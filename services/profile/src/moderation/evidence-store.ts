import { Schema, type Connection } from 'mongoose';
import type { Evidence } from './evidence.ts';
import type { HeldPhoto } from '../members/document/decision.ts';

/** Evidence that reports keep about the reported members. */
export interface EvidenceStore {
  /** Stores evidence, unless the reporter's reports of this member have the same already, or have reached the limit. */
  add(evidence: Evidence): Promise<void>;
  find(id: string): Promise<Evidence | undefined>;
  /** Evidence about a member, newest first, older than the entry `before`. */
  about(reported: number, limit: number, before?: string): Promise<Evidence[]>;
  /** A photo that evidence refers to. */
  holding(photo: number): Promise<HeldPhoto | undefined>;
  /** Evidence from before a time, the longest unchecked first. */
  toCheck(before: Date, limit: number): Promise<Evidence[]>;
  /** Notes that evidence was checked and must be kept. */
  checked(id: string, at: Date): Promise<void>;
  remove(id: string): Promise<void>;
  /** Deletes the reporter, the reason and the reporter's messages from evidence. */
  forgetReporter(reporter: number): Promise<void>;
}

/** Evidence of one reporter about one member; further reports keep none. */
const mostOfOneReporter = 10;

interface EvidenceDocument extends Omit<Evidence, 'id'> {
  readonly _id: string;
  readonly checked_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });
const part = (definition: object) => new Schema(definition, { _id: false, strict: 'throw' });

const schema = new Schema<EvidenceDocument>(
  {
    _id: required(String),
    reported: required(Number),
    reporter: Number,
    reason: String,
    at: required(Date),
    // Texts by names of the catalogue, checked when they were stored.
    texts: Schema.Types.Mixed,
    pending: Schema.Types.Mixed,
    photos: [
      part({
        id: required(Number),
        stem: required(String),
        extension: required(String),
        sizes: [Number],
        caption: String,
        status: required(String),
        private: Boolean,
      }),
    ],
    messages: [part({ by: required(String), text: required(String), at: required(Date) })],
    digest: required(String),
    checked_at: required(Date),
  },
  { collection: 'evidence', versionKey: false, strict: 'throw', minimize: false },
);
schema.index({ reported: 1, _id: -1 });
schema.index({ reporter: 1 }, { sparse: true });
schema.index({ 'photos.id': 1 });
schema.index({ checked_at: 1 });

const asEvidence = ({ _id, checked_at: _checked, ...rest }: EvidenceDocument): Evidence => ({
  id: _id,
  ...rest,
});

/** Creates the store on the `evidence` collection. */
export function createEvidenceStore(connection: Connection): EvidenceStore {
  const model = connection.model('Evidence', schema);
  return {
    async add({ id, ...rest }) {
      const { reported, reporter, digest, at } = rest;
      const before = await model
        .find({ reported, reporter }, { digest: 1 })
        .limit(mostOfOneReporter)
        .lean<Pick<Evidence, 'digest'>[]>();
      const isKept = before.some((each) => each.digest === digest);
      if (!isKept && before.length < mostOfOneReporter)
        await model.create({ _id: id, ...rest, checked_at: at });
    },
    async find(id) {
      const found = await model.findById(id).lean<EvidenceDocument>();
      return found ? asEvidence(found) : undefined;
    },
    async about(reported, limit, before) {
      const found = await model
        .find({ reported, ...(before && { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<EvidenceDocument[]>();
      return found.map(asEvidence);
    },
    async holding(photo) {
      const found = await model
        .findOne({ 'photos.id': photo }, { photos: 1 })
        .lean<Pick<Evidence, 'photos'>>();
      return found?.photos.find(({ id }) => id === photo);
    },
    async toCheck(before, limit) {
      const found = await model
        .find({ at: { $lt: before } })
        .sort({ checked_at: 1 })
        .limit(limit)
        .lean<EvidenceDocument[]>();
      return found.map(asEvidence);
    },
    async checked(id, at) {
      await model.updateOne({ _id: id }, { $set: { checked_at: at } });
    },
    async remove(id) {
      await model.deleteOne({ _id: id });
    },
    async forgetReporter(reporter) {
      await model.updateMany(
        { reporter },
        { $unset: { reporter: 1, reason: 1 }, $pull: { messages: { by: 'reporter' } } },
      );
    },
  };
}
