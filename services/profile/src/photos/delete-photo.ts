import { photoid } from '@covalence/contract/parameters';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { changePhotos } from './change-photos.ts';
import { readPhotoId } from './photo-id.ts';
import { ownPhoto, withStatus } from './photo-list.ts';
import { purgePhotos } from './purge-photos.ts';

/** DELETE /photo/{photoid} */
export const deletePhoto = memberEndpoint({
  tag: 'Photos',
  operationId: 'deletePhoto',
  summary: 'Delete a photo',
  description: 'The files are gone when the call is answered.',
  answer: 'The photo is deleted.',
  example: { request: { photoid: 4711 } },
  input: z.object({ photoid: photoid.meta({ description: 'One of the caller’s photos.' }) }),
  output: z.object({}),
  codes: [failCodes.photoIdMissing, failCodes.photoIdNotNumeric, failCodes.photoNotFound],
  handler: async ({ input, member }, context: PhotosContext) => {
    const id = readPhotoId(input.photoid);
    const after = await changePhotos(context, member, (current) => {
      if (!ownPhoto(current, id)) throw invalidArgument(failCodes.photoNotFound);
      return withStatus(current.photos, id, 'deleted');
    });
    await purgePhotos(context, after).catch((error: unknown) =>
      // The photo is deleted already; the job photo-purge retries its files.
      context.logger.warn({ err: error }, 'photo files not removed; the job photo-purge retries'),
    );
    return {};
  },
});

/** DELETE /photo: the same with the photo as a parameter. */
export const deletePhotoByParameter: typeof deletePhoto = {
  ...deletePhoto,
  operationId: 'deletePhotoByParameter',
  summary: 'Delete a photo by a parameter',
};
