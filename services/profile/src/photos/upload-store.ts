import { required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import type { Photo } from '../members/document/member.ts';

/** The files of a photo that may belong to no member: an upload, or a photo whose retention ends. */
export type Upload = Pick<Photo, 'id' | 'stem' | 'extension' | 'sizes'>;

interface UploadDocument extends Omit<Upload, 'id'> {
  readonly _id: number;
  readonly begun_at: Date;
}

const schema = new Schema<UploadDocument>(
  {
    ...required({ _id: Number, stem: String, extension: String, begun_at: Date }),
    sizes: [Number],
  },
  { collection: 'uploads', versionKey: false, strict: 'throw' },
);
schema.index({ begun_at: 1 });

/** Creates the store on the `uploads` collection. */
export function createUploadStore(connection: Connection) {
  const model = connection.model('Upload', schema);
  return {
    /** Notes an upload before its first file is written. Idempotent. */
    async begin({ id, stem, extension, sizes }: Upload, at: Date) {
      await unlessDuplicate(model.create({ _id: id, stem, extension, sizes, begun_at: at }));
    },
    async begunBefore(time: Date, limit: number): Promise<Upload[]> {
      const found = await model
        .find({ begun_at: { $lt: time } })
        .sort({ begun_at: 1 })
        .limit(limit)
        .lean<UploadDocument[]>();
      return found.map(({ _id, stem, extension, sizes }) => ({ id: _id, stem, extension, sizes }));
    },
    async end(photo: number) {
      await model.deleteOne({ _id: photo });
    },
  };
}
