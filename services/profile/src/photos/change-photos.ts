import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent, photoid, unchecked } from '@covalence/contract/parameters';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { ownRecord } from '../record/records.ts';
import type { MemberRecord } from '../members/members.ts';
import { ownPhotos, photoEntry } from './list-photos.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { canBePrimary, shownPhoto, withPrimary, inOrder, ownPhoto, withStatus } from './photo-list.ts';
import { purgePhotos } from './purge-photos.ts';

function asPhotoId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}

/** The `photoid` parameter: 11301 missing, 11302 not numeric. */
function readPhotoId(value: unknown): number {
  if (!isPresent(value)) throw invalidArgument(failCodes.photoIdMissing);
  const id = asPhotoId(value);
  if (id === undefined) throw invalidArgument(failCodes.photoIdNotNumeric);
  return id;
}

const photoIdCodes = [failCodes.photoIdMissing, failCodes.photoIdNotNumeric, failCodes.photoNotFound];

/** Changes the photos of a member. Throws 11303 where the member is gone, and what `change` throws. */
export async function changePhotos(
  { members }: PhotosContext,
  member: Member,
  change: (member: Member) => readonly Photo[],
): Promise<Member> {
  const after = await members.store.change(member._id, (current) => {
    const photos = change(current);
    // The same photos are no change, so that no event is sent.
    return JSON.stringify(photos) === JSON.stringify(current.photos) ? undefined : { photos };
  });
  if (!after) throw invalidArgument(failCodes.photoNotFound);
  return after;
}

const recordWithPhotosOutput: z.ZodType<MemberRecord> = ownRecordSchema
  .extend({ photos: z.array(photoEntry) })
  .meta({ id: 'OwnRecordWithPhotos' });

/** The own record plus `photos`, which equals the answer of GET /photo. */
async function recordWithPhotos(context: PhotosContext, member: Member) {
  return { ...(await ownRecord(context, member)), photos: ownPhotos(context, member) };
}

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
  codes: photoIdCodes,
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

/** Reads ids from a list, a number or a comma-separated text, without duplicates. Throws 403 without code for anything else. */
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
  codes: photoIdCodes,
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
