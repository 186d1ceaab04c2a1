import { dayMs } from '@covalence/contract/time';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { noContent, readStored, type SettingsContent } from './search-settings.ts';

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

/** The version in force. */
export interface VersionInForce {
  readonly version: number;
  readonly content: SettingsContent;
  /** The newest version: another one if this release does not understand its content. */
  readonly newest: number;
}

/** Published versions. The newest is in force, of those that this release understands: a rollback publishes the content of an older one again. */
export type SettingsStore = ReturnType<typeof createSettingsStore>;

interface SettingsDocument extends Omit<SettingsEntry, 'version'> {
  _id: number;
  /** Of this release or another one. */
  content: unknown;
}

const schema = new Schema<SettingsDocument>(
  {
    ...required({ _id: Number, content: Schema.Types.Mixed, at: Date }),
    note: String,
    of: Number,
    by: String,
  },
  { collection: 'settings', versionKey: false, minimize: false },
);

/** Versions that are kept, and how long every version is. */
export const keptVersions = 100;
const keptMs = 365 * dayMs;

const entryOf = ({ _id, ...entry }: Omit<SettingsDocument, 'content'>): SettingsEntry => ({
  version: _id,
  ...entry,
});

/** Creates the store. */
export function createSettingsStore(connection: Connection) {
  const model = connection.model('Settings', schema);
  return {
    /** The number of the newest version; 0 before any. */
    async newest(): Promise<number> {
      const found = await model.findOne({}, { _id: 1 }).sort({ _id: -1 }).lean<{ _id: number }>();
      return found?._id ?? 0;
    },
    /** The newest version that this release understands. */
    async inForce(): Promise<VersionInForce> {
      let newest = 0;
      const all = model.find({}, { content: 1 }).sort({ _id: -1 }).lean<SettingsDocument[]>();
      for await (const { _id: version, content: stored } of all.cursor({ batchSize: 1 })) {
        newest = Math.max(newest, version);
        const content = readStored(stored);
        if (content) return { version, content, newest };
      }
      return { version: 0, content: noContent, newest };
    },
    /** The content of a version; null if it does not exist or is no longer kept, undefined if this release does not understand it. */
    async read(version: number): Promise<SettingsContent | null | undefined> {
      if (version === 0) return noContent;
      const found = await model.findById(version).lean<SettingsDocument>();
      return found && readStored(found.content);
    },
    /** The versions that are kept, newest first. */
    list: async (): Promise<SettingsEntry[]> =>
      (
        await model.find({}, { content: 0 }).sort({ _id: -1 }).lean<Omit<SettingsDocument, 'content'>[]>()
      ).map(entryOf),
    /** Puts a version in force; false if it exists. Deletes the oldest ones. */
    async add({ version, ...rest }: SettingsVersion): Promise<boolean> {
      const isAdded = await unlessDuplicate(model.create({ _id: version, ...rest }));
      const old = {
        _id: { $lte: version - keptVersions },
        at: { $lt: new Date(rest.at.getTime() - keptMs) },
      };
      // The version is in force; the next one deletes what is left.
      if (isAdded) await model.deleteMany(old).catch(() => undefined);
      return isAdded;
    },
  };
}
