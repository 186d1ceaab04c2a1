import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

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

interface NoteDocument extends Omit<Note, 'id'> {
  readonly _id: string;
}

const schema = new Schema<NoteDocument>(
  required({ _id: String, member: Number, staff: String, at: Date, text: String, about_others: Boolean }),
  { collection: 'notes', versionKey: false, strict: 'throw' },
);
schema.index({ member: 1, _id: -1 });

const asNote = ({ _id, ...rest }: NoteDocument): Note => ({ id: _id, ...rest });

/** Creates the store on the `notes` collection. */
export function createNoteStore(connection: Connection) {
  const model = connection.model('Note', schema);
  return {
    async add({ id, ...rest }: Note) {
      await model.create({ _id: id, ...rest });
    },
    /** Notes about a member, newest first, older than the note `before`; by default all. */
    async of(member: number, limit = 0, before?: string): Promise<Note[]> {
      const found = await model
        .find({ member, ...(before && { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<NoteDocument[]>();
      return found.map(asNote);
    },
    async count(member: number): Promise<number> {
      return model.countDocuments({ member });
    },
    async erase(member: number) {
      await model.deleteMany({ member });
    },
  };
}
