import { refusalNow } from '../pairs/eligibility.ts';
import type { PhotosContext } from './photos.ts';
import { isActive } from '../members/document/member-values.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { relationOf } from '../pairs/relation.ts';
import { staffViewer, type SignedFile } from '../record/photo-address.ts';

/**
 * Whether a member may see another's approved photo now. A private photo needs sharing and access to the profile; any
 * other photo is visible wherever the member is, as beside messages.
 */
async function isSeenBy(
  context: PhotosContext,
  viewerId: number,
  owner: Member,
  { private: isPrivate }: Photo,
): Promise<boolean> {
  if (isPrivate && !context.records.photoSharing) return false;
  const [viewer, sides] = await Promise.all([
    context.members.store.byId(viewerId),
    context.pairs.store.read(viewerId, owner._id),
  ]);
  if (!viewer || !isActive(viewer)) return false;
  const relation = relationOf(sides);
  if (isPrivate && !relation.seesPrivate) return false;
  const purpose = isPrivate ? 'profile' : 'thread';
  return refusalNow(context, { viewer, other: owner, relation, purpose }) === undefined;
}

/**
 * The photo behind a signed address, if its viewer may see it now. Staff see it while it exists or is held; an active
 * owner while it exists; others while it is approved and visible to them.
 */
export async function photoSigned(
  context: PhotosContext,
  { viewer, photo: id }: SignedFile,
): Promise<Pick<Photo, 'stem'> | undefined> {
  const owner = await context.members.store.byPhoto(id);
  const photo = owner?.photos.find((each) => each.id === id);
  if (!owner || !photo || photo.status === 'deleted')
    return viewer === staffViewer ? context.photos.findHeld(id) : undefined;
  if (viewer === staffViewer) return photo;
  if (viewer === owner._id) return isActive(owner) ? photo : undefined;
  return photo.status === 'approved' && (await isSeenBy(context, viewer, owner, photo)) ? photo : undefined;
}
