import { Schema, type Connection } from 'mongoose';

/**
 * Which numeric id an imported member will get, kept while the import of it is under way: an account made with an id
 * before a crash finds its member under the same id when the import is repeated.
 */
export interface ImportIdStore {
  /** The ids of these members: those kept before, new ones for the rest. */
  keep(
    memberIds: readonly string[],
    take: (count: number) => Promise<number[]>,
  ): Promise<Map<string, number>>;
  /** Forgets them: the members are there. */
  forget(memberIds: readonly string[]): Promise<void>;
}

interface ImportId {
  _id: string;
  id: number;
}

const importIdSchema = new Schema<ImportId>(
  { _id: { type: String, required: true }, id: { type: Number, required: true } },
  { collection: 'import_ids', versionKey: false },
);

/** Creates the store on the `import_ids` collection. */
export function createImportIdStore(connection: Connection): ImportIdStore {
  const model = connection.model('ImportId', importIdSchema);
  const read = async (memberIds: readonly string[]) => {
    const kept = await model.find({ _id: { $in: [...memberIds] } }).lean();
    return new Map(kept.map(({ _id, id }) => [_id, id]));
  };
  return {
    async keep(memberIds, take) {
      const kept = await read(memberIds);
      const missing = memberIds.filter((memberId) => !kept.has(memberId));
      if (!missing.length) return kept;
      const ids = await take(missing.length);
      const added = missing.flatMap((memberId, index) => {
        const id = ids[index];
        return id === undefined ? [] : [{ _id: memberId, id }];
      });
      await model.insertMany(added, { lean: true });
      return new Map([...kept, ...added.map(({ _id, id }) => [_id, id] as const)]);
    },
    async forget(memberIds) {
      await model.deleteMany({ _id: { $in: [...memberIds] } });
    },
  };
}
