import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import type { Photo } from '../members/document/member.ts';

/** The files of a photo that may belong to no member: an upload, or a photo whose retention ends. */
export type Upload = Pick<Photo, 'id' | 'stem' | 'extension' | 'sizes'>;

interface BegunUpload extends Upload {
  readonly begun_at: Date;
}

const schema = collectionSchema<Stored<BegunUpload>>('uploads', {
  ...required({ _id: Number, stem: String, extension: String, begun_at: Date }),
  sizes: [Number],
});
schema.index({ begun_at: 1 });

/** Creates the store on the `uploads` collection. */
export function createUploadStore(connection: Connection) {
  const model = connection.model('Upload', schema);
  const records = recordsOf<BegunUpload>(model);
  return {
    /** Notes an upload before its first file is written. Idempotent. */
    async begin({ id, stem, extension, sizes }: Upload, at: Date) {
      await unlessDuplicate(model.create({ _id: id, stem, extension, sizes, begun_at: at }));
    },
    begunBefore: (time: Date, limit: number): Promise<Upload[]> =>
      records.many({ begun_at: { $lt: time } }, { sort: { begun_at: 1 }, limit }),
    end: (photo: number) => records.remove({ _id: photo }),
  };
}
