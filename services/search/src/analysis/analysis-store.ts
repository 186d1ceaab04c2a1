import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { noContent, type AnalysisContent } from './analysis.ts';

/** A published version, without its content. */
export interface AnalysisEntry {
  readonly version: number;
  readonly at: Date;
  readonly note: string;
  /** The version that it repeats; null if it is not a rollback. */
  readonly of: number | null;
}

/** A published version. */
export interface AnalysisVersion extends AnalysisEntry {
  readonly content: AnalysisContent;
}

/** Published versions. The newest is in force: a rollback publishes the content of an older one again. */
export type AnalysisStore = ReturnType<typeof createAnalysisStore>;

interface AnalysisDocument {
  _id: number;
  content: AnalysisContent;
  at: Date;
  note: string;
  of: number | null;
}

const schema = new Schema<AnalysisDocument>(
  {
    _id: { type: Number, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    at: { type: Date, required: true },
    note: String,
    of: Number,
  },
  { collection: 'analysis', versionKey: false, minimize: false },
);

/** Versions that are kept. */
const kept = 100;

const entryOf = ({ _id, at, note, of }: Omit<AnalysisDocument, 'content'>): AnalysisEntry => ({
  version: _id,
  at,
  note,
  of,
});

const versionOf = (found: AnalysisDocument | null): AnalysisVersion | null =>
  found && { ...entryOf(found), content: found.content };

/** Creates the store. */
export function createAnalysisStore(connection: Connection) {
  const model = connection.model('Analysis', schema);
  return {
    /** The newest version if it is newer than `known`, else null. */
    newest: async (known = 0): Promise<AnalysisVersion | null> =>
      versionOf(
        await model
          .findOne({ _id: { $gt: known } })
          .sort({ _id: -1 })
          .lean<AnalysisDocument>(),
      ),
    /** The content of a version; null if it does not exist or is no longer kept. */
    read: async (version: number): Promise<AnalysisContent | null> =>
      version === 0 ? noContent : ((await model.findById(version).lean<AnalysisDocument>())?.content ?? null),
    /** The versions that are kept, newest first. */
    list: async (): Promise<AnalysisEntry[]> =>
      (await model.find({}, { content: 0 }).sort({ _id: -1 }).lean<AnalysisDocument[]>()).map(entryOf),
    /** Puts a version in force; false if it exists. Deletes the oldest ones. */
    async add({ version, content, at, note, of }: AnalysisVersion): Promise<boolean> {
      const isAdded = await unlessDuplicate(model.create({ _id: version, content, at, note, of }));
      if (isAdded) await model.deleteMany({ _id: { $lte: version - kept } });
      return isAdded;
    },
  };
}
