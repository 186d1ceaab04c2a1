import { Schema, type Connection } from 'mongoose';
import type { Evidence } from './evidence.ts';
import type { HeldPhoto } from '../members/document/decision.ts';

/** What reports keep of the members they are about. */
export interface EvidenceStore {
  /** Keeps evidence, unless the reporter's reports of this member keep the same already, or as much as one may. */
  add(evidence: Evidence): Promise<void>;
  find(id: string): Promise<Evidence | undefined>;
  /** Evidence about a member, newest first, older than the entry `before`. */
  about(reported: number, limit: number, before?: string): Promise<Evidence[]>;
  /** A photo that evidence refers to. */
  holding(photo: number): Promise<HeldPhoto | undefined>;
  /** Some from before a time, the longest unchecked first. */
  toCheck(before: Date, limit: number): Promise<Evidence[]>;
  /** Notes that evidence was looked at and has to stay. */
  checked(id: string, at: Date): Promise<void>;
  remove(id: string): Promise<void>;
  /** Leaves evidence without who reported, their words and their messages. */
  forgetReporter(reporter: number): Promise<void>;
}

/** Reports of one member by another that keep evidence; further ones keep none. */
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
    // By names of the catalogue, from a member whose fields were checked.
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
