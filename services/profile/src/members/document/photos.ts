import { randomBytes } from 'node:crypto';
import { isVisible } from './member-values.ts';
import type { Member, Photo, PublicPhoto } from './member.ts';

/** 192 random bits: nobody finds a photo without having been told of it. */
export function newPhotoName(): string {
  return randomBytes(24).toString('base64url');
}

const isForAll = ({ status, private: isPrivate }: Photo) => status === 'approved' && !isPrivate;

/**
 * The approved photos of a member who is visible, each with its public name; undefined where there are none. Those that
 * were public already keep their name, the others get a new one from `nameOf`.
 */
export function publicPhotosOf(
  member: Member,
  nameOf: (photo: Photo) => string = newPhotoName,
): readonly PublicPhoto[] | undefined {
  if (!isVisible(member)) return undefined;
  const names = new Map(member.public_photos?.map(({ photo, name }) => [photo, name]));
  const named = member.photos
    .filter(isForAll)
    .map((photo) => ({ photo: photo.id, name: names.get(photo.id) ?? nameOf(photo) }));
  return named.length ? named : undefined;
}

/** The photo that has a public name, if everybody may see it as its member is now, whichever version wrote that. */
export function photoNamed(owner: Member, name: string): Photo | undefined {
  const { photo } = owner.public_photos?.find((each) => each.name === name) ?? {};
  const found = owner.photos.find(({ id }) => id === photo);
  return found && isForAll(found) && isVisible(owner) ? found : undefined;
}

/** Whether a photo counts for its member: approved and pending ones do. */
export const isShown = ({ status }: Photo): boolean => status === 'approved' || status === 'pending';

const byRank = (one: Photo, other: Photo) =>
  Number(other.primary) - Number(one.primary) || one.order - other.order || one.id - other.id;

/** The photos that count for their member: approved and pending ones, the primary one first. */
export function shownPhotos(photos: readonly Photo[]): Photo[] {
  return photos.filter(isShown).sort(byRank);
}
