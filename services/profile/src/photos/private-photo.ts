import { refusalNow } from '../access/eligibility.ts';
import type { Context } from '../context.ts';
import { isActive } from '../members/member-values.ts';
import type { Member, Photo } from '../members/member.ts';
import { relationOf } from '../pairs/relation.ts';
import { staffViewer, type PrivateFile } from './photo-address.ts';

/** Whether one member may see another's approved private photos now. */
const isSharedWith = async (context: Context, viewerId: number, owner: Member): Promise<boolean> => {
  if (!context.config.PHOTO_SHARING) return false;
  const [viewer, sides] = await Promise.all([
    context.members.byId(viewerId),
    context.pairs.read(viewerId, owner._id),
  ]);
  if (!viewer || !isActive(viewer)) return false;
  const relation = relationOf(sides);
  const refusal = refusalNow(context, { viewer, other: owner, relation, purpose: 'profile' });
  return relation.seesPrivate && refusal === undefined;
};

/**
 * The private photo behind an address if the one whom it was made for may see it at this moment: the owner and staff while
 * it is there, others while it is approved and shared with them (spec 2.6).
 */
export async function seenPrivately(
  context: Context,
  { viewer, photo: id }: PrivateFile,
): Promise<Photo | undefined> {
  const owner = await context.members.byPhoto(id);
  const photo = owner?.photos.find((each) => each.id === id);
  if (!owner || !photo?.private || photo.status === 'deleted') return undefined;
  if (viewer === staffViewer || viewer === owner._id) return photo;
  return photo.status === 'approved' && (await isSharedWith(context, viewer, owner)) ? photo : undefined;
}
