import { photoSuffix } from '@covalence/contract/photo-files';
import type { Member, Photo } from '../members/member.ts';
import type { PhotoAddress } from './photo-address.ts';
import { shownPhotos } from './photo-list.ts';

/** The photo fields of a member record (spec 2.5). */
export interface PhotoView {
  readonly photo_pending: boolean;
  readonly photo_primary: boolean;
  readonly photo: object;
}

/** Files that stand in for a size, best first; the last two sizes are legacy ones. */
const scaled = (size: number) => [size, 400, 1600, 800, 1000, 500, 250, 150];
const square = (size: number) => [size, 400, 1000, 500, 250, 150, 1600, 800];

const sizesWanted = {
  max1600: scaled(1600),
  max800: scaled(800),
  square1000: square(1000),
  square500: square(500),
  square250: [250, 150, 500, 1000, 400, 800, 1600],
};

const none = { urlstem: '', extension: '' };

/** One photo as spec 2.5 describes it; an absent size names the alternative file. */
export function photoObject(photo: Photo, address: PhotoAddress): object {
  const { id, extension, sizes } = photo;
  const suffix = (wanted: readonly number[]) => {
    const size = wanted.find((each) => sizes.includes(each));
    return size === undefined ? '' : photoSuffix(size);
  };
  const suffixes = Object.entries(sizesWanted).map(([name, wanted]) => [name, suffix(wanted)] as const);
  return { id, urlstem: address(photo), extension, ...Object.fromEntries(suffixes) };
}

const oldest = (photos: readonly Photo[]): Photo | undefined =>
  photos
    .filter(({ status }) => status === 'approved' || status === 'pending')
    .sort((one, other) => one.added_at.getTime() - other.added_at.getTime() || one.id - other.id)[0];

/**
 * The photo to show of a member: the primary one, which is always approved; without one the member sees their oldest
 * approved or pending photo and others see none (spec 2.5).
 */
export function photoView(member: Member, isOwn: boolean, address: PhotoAddress): PhotoView {
  const primary = member.photos.find((photo) => photo.primary && photo.status === 'approved');
  const shown = primary ?? (isOwn ? oldest(member.photos) : undefined);
  return {
    photo_pending: shown?.status === 'pending',
    photo_primary: primary !== undefined,
    photo: shown ? photoObject(shown, address) : none,
  };
}

/** The approved photos of a member that another one sees: private ones only where they are shared (spec 2.6). */
export function visiblePhotos({ photos }: Pick<Member, 'photos'>, seesPrivate: boolean): Photo[] {
  return shownPhotos(photos).filter(
    (photo) => photo.status === 'approved' && (seesPrivate || !photo.private),
  );
}
