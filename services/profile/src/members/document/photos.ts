import { randomBytes } from 'node:crypto';
import { seemsVisible } from './member-values.ts';
import type { Member, Photo, PublicPhoto } from './member.ts';

/** A random name of 192 bits, so that nobody can guess the address of a photo. */
export function newPhotoName(): string {
  return randomBytes(24).toString('base64url');
}

const isPublic = ({ status, private: isPrivate }: Photo) => status === 'approved' && !isPrivate;

/**
 * The public photos of a visible member, with their public names, which they keep; undefined where there are none. A withheld photo
 * has a name too, because its owner would miss it. Nobody else learns the name.
 */
export function publicPhotosOf(member: Member): readonly PublicPhoto[] | undefined {
  if (!seemsVisible(member)) return undefined;
  const names = new Map(member.public_photos?.map(({ photo, name }) => [photo, name]));
  const named = member.photos
    .filter(isPublic)
    .map((photo) => ({ photo: photo.id, name: names.get(photo.id) ?? newPhotoName() }));
  return named.length ? named : undefined;
}

/** The photo with a public name, if it is still public. */
export function photoNamed(owner: Member, name: string): Photo | undefined {
  const { photo } = owner.public_photos?.find((each) => each.name === name) ?? {};
  const found = owner.photos.find(({ id }) => id === photo);
  return found && isPublic(found) && seemsVisible(owner) ? found : undefined;
}

/** Whether others may see a photo, apart from private ones. */
export const isOpen = ({ status, suspected }: Photo): boolean => status === 'approved' && !suspected;

/** Whether a photo waits for its review. */
export const isUnreviewed = ({ status, suspected }: Photo): boolean =>
  status === 'pending' || (status === 'approved' && suspected === true);

/** Whether a photo counts for its member: approved and pending ones do. */
export const isShown = ({ status }: Photo): boolean => status === 'approved' || status === 'pending';

const byRank = (one: Photo, other: Photo) =>
  Number(other.primary) - Number(one.primary) || one.order - other.order || one.id - other.id;

/** The photos that count for their member, the primary one first. */
export function shownPhotos(photos: readonly Photo[]): Photo[] {
  return photos.filter(isShown).sort(byRank);
}
