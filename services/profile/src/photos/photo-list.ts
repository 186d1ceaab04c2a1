import type { Member, Photo } from '../members/document/member.ts';
import { isShown, shownPhotos } from '../members/document/photos.ts';

type Photos = readonly Photo[];

/** One of a member's own photos, if it still counts. */
export function shownPhoto({ photos }: Pick<Member, 'photos'>, id: number): Photo | undefined {
  return photos.find((photo) => photo.id === id && isShown(photo));
}

/** One of a member's own photos that is not deleted; rejected ones included. */
export function ownPhoto({ photos }: Pick<Member, 'photos'>, id: number): Photo | undefined {
  return photos.find((photo) => photo.id === id && photo.status !== 'deleted');
}

/** Rejected photos that a document keeps, the newest ones, so that it stays small. */
const rejectedKept = 20;

const pruned = (photos: Photos): Photo[] => {
  const rejected = photos
    .filter(({ status }) => status === 'rejected')
    .sort((one, other) => other.id - one.id);
  const dropped = new Set(rejected.slice(rejectedKept).map(({ id }) => id));
  return photos.map((photo) => (dropped.has(photo.id) ? { ...photo, status: 'deleted' } : photo));
};

/** Whether a photo can be primary: it is approved and not private. */
export const canBePrimary = (photo: Photo): boolean => photo.status === 'approved' && !photo.private;

/** Restores the invariants: the primary photo comes first, and exists where any photo can be primary; ranks have no gaps. */
function arranged(photos: Photos): Photo[] {
  const shown = shownPhotos(photos);
  const primary = shown.find((photo) => photo.primary && canBePrimary(photo)) ?? shown.find(canBePrimary);
  const order = [...(primary ? [primary] : []), ...shown.filter((photo) => photo !== primary)];
  const ranks = new Map(order.map(({ id }, rank) => [id, rank]));
  return pruned(photos).map((photo) => ({
    ...photo,
    primary: photo.id === primary?.id,
    order: ranks.get(photo.id) ?? photo.order,
  }));
}

/** The photos with a new one at the end. */
export function withPhoto(photos: Photos, photo: Omit<Photo, 'order' | 'primary'>): Photo[] {
  return arranged([...photos, { ...photo, order: shownPhotos(photos).length, primary: false }]);
}

/** The fields of a photo that a decision can change. */
export type ReviewState = Pick<Photo, 'status' | 'suspected' | 'ban_matches'>;

/** The current review state of a photo. */
export const reviewStateOf = ({ status, suspected, ban_matches }: Photo): ReviewState => ({
  status,
  ...(suspected && { suspected }),
  ...(ban_matches && { ban_matches }),
});

/** The photos with another review state of one. */
export function withReviewState(photos: Photos, id: number, state: ReviewState): Photo[] {
  const changed = ({ suspected: _suspected, ban_matches: _matches, ...photo }: Photo): Photo => ({
    ...photo,
    ...state,
  });
  return arranged(photos.map((photo) => (photo.id === id ? changed(photo) : photo)));
}

/** The photos with another status of one. Once approved, it is not suspected any more. */
export function withStatus(photos: Photos, id: number, status: Photo['status']): Photo[] {
  const photo = photos.find((each) => each.id === id);
  const state = photo && status !== 'approved' ? reviewStateOf(photo) : {};
  return withReviewState(photos, id, { ...state, status });
}

/** The photos with another primary one. */
export function withPrimary(photos: Photos, id: number): Photo[] {
  return arranged(photos.map((photo) => ({ ...photo, primary: photo.id === id })));
}

/** The photos with those of `ids` first, in that order, behind the primary one. */
export function inOrder(photos: Photos, ids: readonly number[]): Photo[] {
  const ranks = new Map(ids.map((id, index) => [id, index - ids.length]));
  return arranged(photos.map((photo) => ({ ...photo, order: ranks.get(photo.id) ?? photo.order })));
}
