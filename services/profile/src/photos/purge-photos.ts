import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import type { Upload } from './upload-store.ts';

const batch = 100;
/** An upload that was begun so long ago is no process's any more. */
const longestUploadMs = 60 * 60_000;

type Purging = Pick<Context, 'members' | 'photoStorage' | 'uploads' | 'clock' | 'logger'>;

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

/** Ends an upload that came to its end, one way or the other: the files stay where a member has the photo. */
export async function settleUpload(
  { members, photoStorage, uploads }: Purging,
  upload: Upload,
): Promise<void> {
  if (!(await members.byPhoto(upload.id))) await photoStorage.remove(upload);
  await uploads.end(upload.id);
}

/**
 * Purges what a process that died or a storage that was away has left; one that fails keeps none of the others back. Resolves
 * with how many failed.
 */
export async function purgeLeftPhotos(context: Purging, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, uploads, clock, logger } = context;
  const before = new Date(clock().getTime() - longestUploadMs);
  const work = [
    ...(await members.withDeletedPhotos(batch)).map((member) => () => purgePhotos(context, member)),
    ...(await uploads.begunBefore(before, batch)).map((upload) => () => settleUpload(context, upload)),
  ];
  return eachPart(work, (purge) => purge(), {
    mayGoOn,
    logger,
    left: 'photo files are left for the next purge',
  });
}
