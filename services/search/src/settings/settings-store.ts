import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { noContent, type SettingsContent } from './search-settings.ts';

/** A published version, without its content. */
export interface SettingsEntry {
  readonly version: number;
  readonly at: Date;
  readonly note: string;
  /** The version that it repeats; null if it is not a rollback. */
  readonly of: number | null;
  /** The UUID of the staff account that published it; null from the command line. */
  readonly by: string | null;
}

/** A published version. */
export interface SettingsVersion extends SettingsEntry {
  readonly content: SettingsContent;
}

/** Published versions. The newest is in force: a rollback publishes the content of an older one again. */
export type SettingsStore = ReturnType<typeof createSettingsStore>;

interface SettingsDocument {
  _id: number;
  content: SettingsContent;
  at: Date;
  note: string;
  of: number | null;
  by: string | null;
}

const schema = new Schema<SettingsDocument>(
  {
    _id: { type: Number, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    at: { type: Date, required: true },
    note: String,
    of: Number,
    by: String,
  },
  { collection: 'settings', versionKey: false, minimize: false },
);

/** Versions that are kept. */
const kept = 100;

const entryOf = ({ _id, at, note, of, by }: Omit<SettingsDocument, 'content'>): SettingsEntry => ({
  version: _id,
  at,
  note,
  of,
  by,
});

const versionOf = (found: SettingsDocument | null): SettingsVersion | null =>
  found && { ...entryOf(found), content: found.content };

/** Creates the store. */
export function createSettingsStore(connection: Connection) {
  const model = connection.model('Settings', schema);
  return {
    /** The newest version if it is newer than `known`, else null. */
    newest: async (known = 0): Promise<SettingsVersion | null> =>
      versionOf(
        await model
          .findOne({ _id: { $gt: known } })
          .sort({ _id: -1 })
          .lean<SettingsDocument>(),
      ),
    /** The content of a version; null if it does not exist or is no longer kept. */
    read: async (version: number): Promise<SettingsContent | null> =>
      version === 0 ? noContent : ((await model.findById(version).lean<SettingsDocument>())?.content ?? null),
    /** The versions that are kept, newest first. */
    list: async (): Promise<SettingsEntry[]> =>
      (await model.find({}, { content: 0 }).sort({ _id: -1 }).lean<SettingsDocument[]>()).map(entryOf),
    /** Puts a version in force; false if it exists. Deletes the oldest ones. */
    async add({ version, ...rest }: SettingsVersion): Promise<boolean> {
      const isAdded = await unlessDuplicate(model.create({ _id: version, ...rest }));
      if (isAdded) await model.deleteMany({ _id: { $lte: version - kept } });
      return isAdded;
    },
  };
}
