import { refusalNow } from '../pairs/eligibility.ts';
import type { PhotosContext } from './photos.ts';
import { isActive } from '../members/document/member-values.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { relationOf } from '../pairs/relation.ts';
import { staffViewer, type SignedFile } from '../record/photo-address.ts';

/**
 * Whether one member may see another's approved photo now: a private one where it is shared with them and they may open the
 * profile, any other one where they see the member at all, as beside the messages with one who hides.
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
 * The photo behind a signed address if the one whom it was made for may see it at this moment: staff while it is there, or is
 * kept for them; its owner while it is there and they are active; others while it is approved and they may see it.
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
