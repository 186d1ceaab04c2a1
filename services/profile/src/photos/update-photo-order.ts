import { unchecked } from '@covalence/contract/parameters';
import { invalidArgument } from '@covalence/contract/failure';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { changePhotos, recordWithPhotos, recordWithPhotosOutput } from './change-photos.ts';
import { asPhotoId } from './photo-id.ts';
import { inOrder, shownPhoto } from './photo-list.ts';

/**
 * Reads ids from a comma-separated string, a number or a list, without duplicates. Throws 403 without code for
 * anything else.
 */
function readIds(value: unknown): number[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',')
      : [value];
  const ids = list.map(asPhotoId);
  if (!ids.length || !ids.every((id) => id !== undefined)) throw invalidArgument();
  return [...new Set(ids)];
}

/** POST /updatephotoorder */
export const updatePhotoOrder = memberEndpoint({
  tag: 'Photos',
  operationId: 'updatePhotoOrder',
  summary: 'Reorder the photos',
  description:
    'The photos listed come first, in that order, behind the primary one. Missing ids, or one that is not the member’s, are 403 without code.',
  answer: 'The own record with the photos.',
  example: { request: { photoids: [4711] } },
  input: z.object({
    photoids: unchecked({
      type: 'array',
      items: { $ref: '#/components/schemas/PhotoId' },
      minItems: 1,
      description: 'Ids of photos, as a list or separated by commas.',
      'x-required': true,
    }),
  }),
  output: recordWithPhotosOutput,
  handler: async ({ input, member }, context: PhotosContext) => {
    const ids = readIds(input.photoids);
    const after = await changePhotos(context, member, (current) => {
      if (!ids.every((id) => shownPhoto(current, id))) throw invalidArgument();
      return inOrder(current.photos, ids);
    });
    return recordWithPhotos(context, after);
  },
});
