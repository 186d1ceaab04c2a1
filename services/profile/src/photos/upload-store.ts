import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import type { Photo } from '../members/document/member.ts';

/** The files of a photo that may belong to no member: an upload, or a photo whose retention ends. */
export type Upload = Pick<Photo, 'id' | 'stem' | 'extension' | 'sizes'>;

/** Notes of uploads in progress. They name files of a process that ended before it wrote the member. */
export interface UploadStore {
  /** Notes an upload before its first file is written. Idempotent. */
  begin(upload: Upload, at: Date): Promise<void>;
  /** Uploads that began before a time, the oldest first. */
  begunBefore(time: Date, limit: number): Promise<Upload[]>;
  /** Deletes the note: a member has the photo, or its files are removed. */
  end(photo: number): Promise<void>;
}

interface UploadDocument extends Omit<Upload, 'id'> {
  readonly _id: number;
  readonly begun_at: Date;
}

const schema = new Schema<UploadDocument>(
  {
    _id: { type: Number, required: true },
    stem: { type: String, required: true },
    extension: { type: String, required: true },
    sizes: [Number],
    begun_at: { type: Date, required: true },
  },
  { collection: 'uploads', versionKey: false, strict: 'throw' },
);
schema.index({ begun_at: 1 });

/** Creates the store on the `uploads` collection. */
export function createUploadStore(connection: Connection): UploadStore {
  const model = connection.model('Upload', schema);
  return {
    async begin({ id, stem, extension, sizes }, at) {
      await unlessDuplicate(model.create({ _id: id, stem, extension, sizes, begun_at: at }));
    },
    async begunBefore(time, limit) {
      const found = await model
        .find({ begun_at: { $lt: time } })
        .sort({ begun_at: 1 })
        .limit(limit)
        .lean<UploadDocument[]>();
      return found.map(({ _id, stem, extension, sizes }) => ({ id: _id, stem, extension, sizes }));
    },
    async end(photo) {
      await model.deleteOne({ _id: photo });
    },
  };
}
