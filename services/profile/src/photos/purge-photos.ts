import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';

const batch = 100;

type Purging = Pick<Context, 'members' | 'photoStorage'>;

/** Removes the files of a member's deleted photos, then the photos themselves. */
export async function purgePhotos({ members, photoStorage }: Purging, member: Member): Promise<void> {
  const gone = member.photos.filter(({ status }) => status === 'deleted');
  if (!gone.length) return;
  await Promise.all(gone.map((photo) => photoStorage.remove(photo)));
  const ids = new Set(gone.map(({ id }) => id));
  await members.change(member._id, ({ photos }) =>
    photos.some(({ id }) => ids.has(id)) ? { photos: photos.filter(({ id }) => !ids.has(id)) } : undefined,
  );
}

/** Purges what a process that died or a storage that was away has left. */
export async function purgeLeftPhotos(context: Purging): Promise<void> {
  for (const member of await context.members.withDeletedPhotos(batch)) await purgePhotos(context, member);
}
