import type { Member, Photo } from '../members/document/member.ts';
import { isShown, shownPhotos } from '../members/document/photos.ts';

type Photos = readonly Photo[];

/** One of a member's own photos, if it still counts. */
export function shownPhoto({ photos }: Pick<Member, 'photos'>, id: number): Photo | undefined {
  return photos.find((photo) => photo.id === id && isShown(photo));
}

/** One of a member's own photos that is there, a rejected one too. */
export function ownPhoto({ photos }: Pick<Member, 'photos'>, id: number): Photo | undefined {
  return photos.find((photo) => photo.id === id && photo.status !== 'deleted');
}

/** Rejected photos that are kept, the newest ones, so that a member's document stays small. */
const rejectedKept = 20;

const pruned = (photos: Photos): Photo[] => {
  const rejected = photos
    .filter(({ status }) => status === 'rejected')
    .sort((one, other) => other.id - one.id);
  const dropped = new Set(rejected.slice(rejectedKept).map(({ id }) => id));
  return photos.map((photo) => (dropped.has(photo.id) ? { ...photo, status: 'deleted' } : photo));
};

/** A primary photo is approved and seen by everybody. */
export const canBePrimary = (photo: Photo): boolean => photo.status === 'approved' && !photo.private;

/**
 * What holds after every change: at most one primary photo, and where a member has photos that can be primary the first of
 * them is; it comes first and the others are numbered behind it.
 */
function arranged(photos: Photos): Photo[] {
  const shown = shownPhotos(photos);
  const primary = shown.find((photo) => photo.primary && canBePrimary(photo)) ?? shown.find(canBePrimary);
  const order = [...(primary ? [primary] : []), ...shown.filter((photo) => photo !== primary)];
  const places = new Map(order.map(({ id }, place) => [id, place]));
  return pruned(photos).map((photo) => ({
    ...photo,
    primary: photo.id === primary?.id,
    order: places.get(photo.id) ?? photo.order,
  }));
}

/** With a new photo at the end. */
export function withPhoto(photos: Photos, photo: Omit<Photo, 'order' | 'primary'>): Photo[] {
  return arranged([...photos, { ...photo, order: shownPhotos(photos).length, primary: false }]);
}

/** With another status of one photo. */
export function withStatus(photos: Photos, id: number, status: Photo['status']): Photo[] {
  return arranged(photos.map((photo) => (photo.id === id ? { ...photo, status } : photo)));
}

/** With another primary photo. */
export function withPrimary(photos: Photos, id: number): Photo[] {
  return arranged(photos.map((photo) => ({ ...photo, primary: photo.id === id })));
}

/** With the photos named first, in that order, behind the primary one. */
export function inOrder(photos: Photos, ids: readonly number[]): Photo[] {
  const named = new Map(ids.map((id, place) => [id, place - ids.length]));
  return arranged(photos.map((photo) => ({ ...photo, order: named.get(photo.id) ?? photo.order })));
}
