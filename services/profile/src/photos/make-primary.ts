import { photoid } from '@covalence/contract/parameters';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { changePhotos, recordWithPhotos, recordWithPhotosOutput } from './change-photos.ts';
import { readPhotoId } from './photo-id.ts';
import { canBePrimary, shownPhoto, withPrimary } from './photo-list.ts';

/** POST /photo/primary */
export const makePrimary = memberEndpoint({
  tag: 'Photos',
  operationId: 'setPrimaryPhoto',
  summary: 'Set the primary photo',
  description: 'An approved photo becomes the primary one; a pending or private one is 403 without code.',
  answer: 'The own record with the photos.',
  example: { request: { photoid: 4711 } },
  input: z.object({
    photoid: photoid.meta({ description: 'One of the caller’s photos.', 'x-required': true }),
  }),
  output: recordWithPhotosOutput,
  codes: [failCodes.photoIdMissing, failCodes.photoIdNotNumeric, failCodes.photoNotFound],
  handler: async ({ input, member }, context: PhotosContext) => {
    const id = readPhotoId(input.photoid);
    const after = await changePhotos(context, member, (current) => {
      const photo = shownPhoto(current, id);
      if (!photo) throw invalidArgument(failCodes.photoNotFound);
      if (!canBePrimary(photo)) throw invalidArgument();
      return withPrimary(current.photos, id);
    });
    return recordWithPhotos(context, after);
  },
});
