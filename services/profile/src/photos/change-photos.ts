import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { PhotosContext } from './photos.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { ownRecord } from '../record/records.ts';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import type { MemberRecord } from '../members/members.ts';
import { ownPhotos, photoEntry } from './list-photos.ts';

/** Changes the photos of a member. Throws 11303 where the member is gone, and what `change` throws. */
export async function changePhotos(
  { members }: Pick<PhotosContext, 'members'>,
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

/** The output of recordWithPhotos. */
export const recordWithPhotosOutput: z.ZodType<MemberRecord> = ownRecordSchema
  .extend({ photos: z.array(photoEntry) })
  .meta({ id: 'OwnRecordWithPhotos' });

/** The own record plus `photos`, which equals the answer of GET /photo. */
export async function recordWithPhotos(context: PhotosContext, member: Member) {
  return { ...(await ownRecord(context, member)), photos: ownPhotos(context, member) };
}
