import { invalidArgument } from '@covalence/contract/failure';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { changePhotos } from './change-photos.ts';
import { readPhotoId } from './photo-id.ts';
import { ownPhoto, withStatus } from './photo-list.ts';
import { purgePhotos } from './purge-photos.ts';

/** DELETE /photo/{photoid}, or with photoid as parameter: any of the own photos, a rejected one too; the files are gone with the answer. */
export const deletePhoto = memberEndpoint({
  summary: 'Delete one of the own photos',
  input: z.object({ photoid: z.unknown() }).partial(),
  output: z.object({}),
  codes: [11301, 11302, 11303],
  handler: async ({ input, member }, context: PhotosContext) => {
    const id = readPhotoId(input.photoid);
    const after = await changePhotos(context, member, (current) => {
      if (!ownPhoto(current, id)) throw invalidArgument(11303);
      return withStatus(current.photos, id, 'deleted');
    });
    await purgePhotos(context, after).catch((error: unknown) =>
      // It is deleted for everybody; its files follow.
      context.logger.warn({ err: error }, 'photo files are left for the next purge'),
    );
    return {};
  },
});
