import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { z } from 'zod';
import { storedCriteria } from '../criteria/stored-criteria.ts';
import { savedControls } from './saved-controls.ts';

const contentSchema = z.object({
  name: z.string(),
  criteria: storedCriteria,
  controls: savedControls,
});

/** Name, criteria and control parameters of a saved search. */
export type SavedContent = z.infer<typeof contentSchema>;

/** A saved search. */
export interface SavedSearch extends SavedContent {
  readonly id: string;
  /** Increases with every change, so that no concurrent change is lost. */
  readonly revision: number;
}

/** Saved searches of members. */
export type SavedSearchStore = ReturnType<typeof createSavedSearchStore>;

interface SavedSearchDocument {
  _id: string;
  member: number;
  name: string;
  criteria: Record<string, unknown>;
  controls: Record<string, unknown>;
  /** Absent until the first change. */
  revision?: number;
}

const schema = new Schema<SavedSearchDocument>(
  {
    _id: { type: String, required: true },
    member: { type: Number, required: true },
    name: { type: String, required: true },
    criteria: { type: Schema.Types.Mixed, required: true },
    controls: { type: Schema.Types.Mixed, required: true },
    revision: { type: Number },
  },
  { collection: 'saved_searches', versionKey: false, minimize: false },
);
schema.index({ member: 1, name: 1 }, { unique: true });

/** Ids are random, so a duplicate key is a name that is taken. */
function nameTaken(error: unknown): never {
  throw isDuplicateKey(error) ? invalidArgument(failCodes.searchNameTaken) : error;
}

const read = (found: SavedSearchDocument): SavedSearch => ({
  id: found._id,
  revision: found.revision ?? 0,
  ...contentSchema.parse(found),
});

/** Creates the store. */
export function createSavedSearchStore(connection: Connection) {
  const model = connection.model('SavedSearch', schema);
  return {
    /** The member's searches, by name. */
    list: async (member: number): Promise<SavedSearch[]> =>
      (await model.find({ member }).sort({ name: 1 }).lean<SavedSearchDocument[]>()).map(read),
    async find(member: number, id: string): Promise<SavedSearch | undefined> {
      const found = await model.findOne({ _id: id, member }).lean<SavedSearchDocument>();
      return found ? read(found) : undefined;
    },
    /** Stores a new search; false if the member would have more than `most`. Throws 20225 if the name is taken. */
    async create(member: number, id: string, content: SavedContent, most: number): Promise<boolean> {
      await model.create({ _id: id, member, ...content }).catch(nameTaken);
      // Counted afterwards, because concurrent calls would all have seen room before.
      if ((await model.countDocuments({ member })) <= most) return true;
      await this.remove(member, id);
      return false;
    },
    /** Replaces a search; false if it was changed or deleted since it was read. Throws 20225 if the name is taken. */
    async replace(member: number, { id, revision }: SavedSearch, content: SavedContent): Promise<boolean> {
      const asRead = revision === 0 ? { $exists: false } : revision;
      const { matchedCount } = await model
        .updateOne({ _id: id, member, revision: asRead }, { $set: { ...content, revision: revision + 1 } })
        .catch(nameTaken);
      return matchedCount > 0;
    },
    /** Deletes a search; false if the member has none with that id. */
    remove: async (member: number, id: string): Promise<boolean> =>
      (await model.deleteOne({ _id: id, member })).deletedCount > 0,
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ member: { $in: [...members] } });
    },
  };
}
