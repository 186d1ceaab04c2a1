import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import type { Connection } from 'mongoose';

/** A note by one of the staff about a member, for colleagues. */
export interface Note {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly member: number;
  readonly staff: string;
  readonly at: Date;
  readonly text: string;
  /** It tells something of others, and is left out of the member's export. */
  readonly about_others: boolean;
}

const schema = collectionSchema<Stored<Note>>(
  'notes',
  required({ _id: String, member: Number, staff: String, at: Date, text: String, about_others: Boolean }),
);
schema.index({ member: 1, _id: -1 });

/** Creates the store on the `notes` collection. */
export function createNoteStore(connection: Connection) {
  const model = connection.model('Note', schema);
  const records = recordsOf<Note>(model);
  return {
    add: (one: Note) => records.add(one),
    /** Notes about a member, newest first, older than the note `before`; by default all. */
    of: (member: number, limit = 0, before?: string): Promise<Note[]> =>
      records.many({ member, ...(before && { _id: { $lt: before } }) }, { sort: { _id: -1 }, limit }),
    count: (member: number): Promise<number> => model.countDocuments({ member }),
    erase: (member: number) => records.removeAll({ member }),
  };
}
