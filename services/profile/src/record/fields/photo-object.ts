import { photoSuffix } from '@covalence/contract/photo-files';
import type { Member, Photo } from '../../members/document/member.ts';
import { shownPhotos } from '../../members/document/photos.ts';

/** The urlstem of a photo for one viewer. */
export type PhotoAddress = (owner: Pick<Member, 'public_photos'>, photo: Pick<Photo, 'id'>) => string;

/** Files that stand in for a size, best first; the last two sizes are legacy ones. */
const scaled = (size: number) => [size, 400, 1600, 800, 1000, 500, 250, 150];
const square = (size: number) => [size, 400, 1000, 500, 250, 150, 1600, 800];

const sizesWanted: readonly (readonly [name: string, sizes: readonly number[]])[] = [
  ['max1600', scaled(1600)],
  ['max800', scaled(800)],
  ['square1000', square(1000)],
  ['square500', square(500)],
  ['square250', [250, 150, 500, 1000, 400, 800, 1600]],
];

/** The photo object of a record: a photo under the address that its viewer is told. An absent size names the alternative file. */
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

/** A primary photo is always approved. */
export const isPrimary = ({ primary, status }: Photo): boolean => primary && status === 'approved';

/**
 * The photo to show of a member: the primary one; without one the member sees their oldest approved or pending photo and
 * others see none.
 */
export function mainPhoto({ photos }: Pick<Member, 'photos'>, isOwn: boolean): Photo | undefined {
  return photos.find(isPrimary) ?? (isOwn ? oldest(photos) : undefined);
}

/** The approved photos of a member that another one sees: private ones only where they are shared. */
export function visiblePhotos({ photos }: Pick<Member, 'photos'>, seesPrivate: boolean): Photo[] {
  return shownPhotos(photos).filter(
    (photo) => photo.status === 'approved' && (seesPrivate || !photo.private),
  );
}
