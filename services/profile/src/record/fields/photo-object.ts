import { photoSuffix } from '@covalence/contract/photo-files';
import type { Member, Photo } from '../../members/document/member.ts';
import { isOpen, shownPhotos } from '../../members/document/photos.ts';

/** The urlstem of a photo for one viewer. */
export type PhotoAddress = (owner: Pick<Member, 'public_photos'>, photo: Pick<Photo, 'id'>) => string;

/** Sizes that replace a missing one, best first; 400 and 150 are legacy sizes. */
const scaled = (size: number) => [size, 400, 1600, 800, 1000, 500, 250, 150];
const square = (size: number) => [size, 400, 1000, 500, 250, 150, 1600, 800];

const sizesWanted: readonly (readonly [name: string, sizes: readonly number[]])[] = [
  ['max1600', scaled(1600)],
  ['max800', scaled(800)],
  ['square1000', square(1000)],
  ['square500', square(500)],
  ['square250', [250, 150, 500, 1000, 400, 800, 1600]],
];

/** The photo object of a record. A missing size names the file that replaces it. */
export function photoObject(
  { id, extension, sizes }: Pick<Photo, 'id' | 'extension' | 'sizes'>,
  urlstem: string,
): { id: number; urlstem: string; extension: string } {
  const suffix = (wanted: readonly number[]) => {
    const size = wanted.find((each) => sizes.includes(each));
    return size === undefined ? '' : photoSuffix(size);
  };
  const suffixes = sizesWanted.map(([name, wanted]) => [name, suffix(wanted)] as const);
  return { id, urlstem, extension, ...Object.fromEntries(suffixes) };
}

const oldest = (photos: readonly Photo[]): Photo | undefined =>
  shownPhotos(photos).toSorted(
    (one, other) => one.added_at.getTime() - other.added_at.getTime() || one.id - other.id,
  )[0];

/** Whether a photo is the primary one; a primary photo is always approved. */
export const isPrimary = ({ primary, status }: Photo): boolean => primary && status === 'approved';

/** The photo that represents a member: the primary one. Without one, only the member sees the oldest approved or pending one. */
export function mainPhoto({ photos }: Pick<Member, 'photos'>, isOwn: boolean): Photo | undefined {
  const primary = photos.find(isPrimary);
  if (isOwn) return primary ?? oldest(photos);
  // The next one stands for a primary photo that is withheld.
  return primary && visiblePhotos({ photos }, false)[0];
}

/** The approved photos of a member's own record. */
export function approvedPhotos({ photos }: Pick<Member, 'photos'>): Photo[] {
  return shownPhotos(photos).filter(({ status }) => status === 'approved');
}

/** The photos that another member sees; private ones only with `seesPrivate`. */
export function visiblePhotos({ photos }: Pick<Member, 'photos'>, seesPrivate: boolean): Photo[] {
  return shownPhotos(photos).filter((photo) => isOpen(photo) && (seesPrivate || !photo.private));
}
