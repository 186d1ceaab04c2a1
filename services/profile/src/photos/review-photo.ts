import type { Context } from '../context.ts';
import type { Member, Photo } from '../members/member.ts';
import { withStatus } from './photo-list.ts';

type Reviewing = Pick<Context, 'members'>;

/** What a review comes to: the owner as they are then, and whether it changed anything. */
export interface ReviewedPhoto {
  readonly member: Member;
  readonly photo: Photo;
  readonly changed: boolean;
}

async function review(
  { members }: Reviewing,
  photoId: number,
  status: 'approved' | 'rejected',
): Promise<ReviewedPhoto | undefined> {
  const owner = await members.byPhoto(photoId);
  let changed = false;
  const member =
    owner &&
    (await members.change(owner._id, ({ photos }) => {
      const photo = photos.find(({ id }) => id === photoId);
      changed = photo !== undefined && photo.status !== status && photo.status !== 'deleted';
      return changed ? { photos: withStatus(photos, photoId, status) } : undefined;
    }));
  const photo = member?.photos.find(({ id }) => id === photoId);
  if (!member || !photo || photo.status === 'deleted') return undefined;
  return { member, photo, changed };
}

/**
 * Approves a pending or rejected photo (D29); the first approved one becomes primary. Its owner is told (`photo.changed`)
 * and search follows (`member.updated`). Answers undefined where there is no such photo; again is no change.
 */
export function approvePhoto(context: Reviewing, photoId: number): Promise<ReviewedPhoto | undefined> {
  return review(context, photoId, 'approved');
}

/** Rejects a pending or approved photo (D29); nobody is shown it any more. Otherwise as `approvePhoto`. */
export function rejectPhoto(context: Reviewing, photoId: number): Promise<ReviewedPhoto | undefined> {
  return review(context, photoId, 'rejected');
}
