import { dayMs } from '@covalence/contract/time';
import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Photo, HeldPhoto } from '../../members/document/member.ts';
import type { ReportCategory } from './report-store.ts';

/** A message between reporter and reported. It names neither, so that nothing of an erased reporter is left. */
interface EvidenceMessage {
  readonly by: 'reporter' | 'reported';
  readonly text: string;
  readonly at: Date;
}

/** A photo at the time of the report. The files are those of the photo. */
export interface EvidencePhoto extends HeldPhoto {
  readonly status: Photo['status'];
  readonly private?: boolean;
}

/** Copy of the reported member that a report keeps. */
export interface Evidence {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly reported: number;
  /** Absent after the reporter was erased, like the reason. */
  readonly reporter?: number;
  readonly category?: ReportCategory;
  readonly reason?: string;
  readonly at: Date;
  /** Texts that others could read, and texts that waited for review, by field. */
  readonly texts: Readonly<Record<string, string>>;
  readonly pending: Readonly<Record<string, string>>;
  readonly photos: readonly EvidencePhoto[];
  readonly messages: readonly EvidenceMessage[];
  /** Hash of the content, so that equal evidence is stored once. */
  readonly digest: string;
}

/** Evidence of one reporter about one member within 24 hours; further reports keep none. */
const mostInADay = 10;
/** Evidence of one reporter about one member, until it is deleted. */
const mostOfPair = 100;

interface EvidenceDocument extends Stored<Evidence> {
  /** When retention last looked at it. */
  readonly checked_at: Date;
}

const schema = collectionSchema<EvidenceDocument>(
  'evidence',
  {
    ...required({ _id: String, reported: Number, at: Date }),
    reporter: Number,
    category: String,
    reason: String,
    // Texts by names of the catalogue, checked when they were stored.
    texts: Schema.Types.Mixed,
    pending: Schema.Types.Mixed,
    photos: [
      subdocument({
        ...required({ id: Number, stem: String, extension: String, status: String }),
        sizes: [Number],
        caption: String,
        private: Boolean,
      }),
    ],
    messages: [subdocument(required({ by: String, text: String, at: Date }))],
    ...required({ digest: String, checked_at: Date }),
  },
  { minimize: false },
);
schema.index({ reported: 1, _id: -1 });
schema.index({ reporter: 1 }, { sparse: true });
schema.index({ 'photos.id': 1 });
schema.index({ checked_at: 1 });

/** Creates the store on the `evidence` collection. */
export function createEvidenceStore(connection: Connection) {
  const model = connection.model('Evidence', schema);
  const records = recordsOf<Evidence>(model, { checked_at: 0 });
  return {
    /** Stores evidence, unless the reporter's reports of this member have the same already, or have reached a limit. */
    async add({ id, ...rest }: Evidence) {
      const { reported, reporter, digest, at } = rest;
      const own = { reported, reporter };
      if (await model.exists({ ...own, digest })) return;
      const [all, today] = await Promise.all([
        model.countDocuments(own),
        model.countDocuments({ ...own, at: { $gt: new Date(at.getTime() - dayMs) } }),
      ]);
      if (all < mostOfPair && today < mostInADay) await model.create({ _id: id, ...rest, checked_at: at });
    },
    find: (id: string): Promise<Evidence | undefined> => records.one({ _id: id }),
    /** Evidence about a member, newest first, older than the entry `before`; of one reporter, or of all. */
    about(
      reported: number,
      limit: number,
      {
        before,
        reporter,
      }: { readonly before?: string | undefined; readonly reporter?: number | undefined } = {},
    ): Promise<Evidence[]> {
      const older = before && { _id: { $lt: before } };
      const its = { reported, ...older, ...(reporter !== undefined && { reporter }) };
      return records.many(its, { sort: { _id: -1 }, limit });
    },
    async holding(photo: number): Promise<HeldPhoto | undefined> {
      const found = await records.one({ 'photos.id': photo }, { shown: { photos: 1 } });
      return found?.photos.find(({ id }) => id === photo);
    },
    /** The photos of a member that evidence keeps. */
    async heldOf(reported: number): Promise<HeldPhoto[]> {
      const found = await records.many({ reported }, { shown: { photos: 1 } });
      return found.flatMap(({ photos }) => photos);
    },
    toCheck: (before: Date, limit: number): Promise<Evidence[]> =>
      records.many({ at: { $lt: before } }, { sort: { checked_at: 1 }, limit }),
    checked: (id: string, at: Date) => records.update({ _id: id }, { $set: { checked_at: at } }),
    remove: (id: string) => records.remove({ _id: id }),
    /** Deletes the reporter, the reason and the reporter's messages from evidence. */
    forgetReporter: (reporter: number) =>
      records.updateAll(
        { reporter },
        { $unset: { reporter: 1, reason: 1 }, $pull: { messages: { by: 'reporter' } } },
      ),
  };
}
