import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { z } from 'zod';
import { storedCriteria } from '../criteria/stored-criteria.ts';
import { savedControls } from './saved-controls.ts';

/** What a member saved a search with. */
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
  /** Raised with every change, so that of two changes at once none is lost. */
  readonly revision: number;
}

/** Saved searches of members. */
export interface SavedSearchStore {
  /** Those of a member by name. */
  list(member: number): Promise<SavedSearch[]>;
  /** One of a member's, or undefined. */
  find(member: number, id: string): Promise<SavedSearch | undefined>;
  /** Keeps a new one; false where the member would have more than `most`. Throws 20225 where they have one of that name. */
  create(member: number, id: string, content: SavedContent, most: number): Promise<boolean>;
  /** Replaces one as it was read; false where another change or a deletion came between. Throws 20225. */
  replace(member: number, before: SavedSearch, content: SavedContent): Promise<boolean>;
  /** Deletes one; false where the member has none of that id. */
  remove(member: number, id: string): Promise<boolean>;
  /** Deletes everything of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
}

interface SavedSearchDocument {
  _id: string;
  member: number;
  name: string;
  criteria: Record<string, unknown>;
  controls: Record<string, unknown>;
  /** Absent in one that was never changed. */
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

/** Only the name can be taken: ids are made here. */
function nameTaken(error: unknown): never {
  throw isDuplicateKey(error) ? invalidArgument(failCodes.searchNameTaken) : error;
}

const read = (found: SavedSearchDocument): SavedSearch => ({
  id: found._id,
  revision: found.revision ?? 0,
  ...contentSchema.parse(found),
});

/** Creates the store. */
export function createSavedSearchStore(connection: Connection): SavedSearchStore {
  const model = connection.model('SavedSearch', schema);
  return {
    list: async (member) =>
      (await model.find({ member }).sort({ name: 1 }).lean<SavedSearchDocument[]>()).map(read),
    async find(member, id) {
      const found = await model.findOne({ _id: id, member }).lean<SavedSearchDocument>();
      return found ? read(found) : undefined;
    },
    async create(member, id, content, most) {
      await model.create({ _id: id, member, ...content }).catch(nameTaken);
      if ((await model.countDocuments({ member })) <= most) return true;
      await this.remove(member, id);
      return false;
    },
    async replace(member, { id, revision }, content) {
      const asRead = revision === 0 ? { $exists: false } : revision;
      const { matchedCount } = await model
        .updateOne({ _id: id, member, revision: asRead }, { $set: { ...content, revision: revision + 1 } })
        .catch(nameTaken);
      return matchedCount > 0;
    },
    remove: async (member, id) => (await model.deleteOne({ _id: id, member })).deletedCount > 0,
    async forget(members) {
      await model.deleteMany({ member: { $in: [...members] } });
    },
  };
}
