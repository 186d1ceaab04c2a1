import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { activeCaller } from '../members/active-caller.ts';
import { changePhotos, recordWithPhotos, recordWithPhotosOutput } from './change-photos.ts';
import { asPhotoId } from './photo-id.ts';
import { inOrder, shownPhoto } from './photo-list.ts';

/** Ids as a comma-separated string, one number or a list, each once; anything else is 403 without code. */
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

/** POST /updatephotoorder: the photos named first and in that order, the primary one before all. */
export const updatePhotoOrder = endpoint({
  access: 'member',
  summary: 'Reorder the own photos',
  input: z.object({ photoids: z.unknown() }).partial(),
  output: recordWithPhotosOutput,
  handler: async ({ input, caller }, context: Context) => {
    const member = await activeCaller(context, caller);
    const ids = readIds(input.photoids);
    const after = await changePhotos(context, member, (current) => {
      if (!ids.every((id) => shownPhoto(current, id))) throw invalidArgument();
      return inOrder(current.photos, ids);
    });
    return recordWithPhotos(context, after);
  },
});
