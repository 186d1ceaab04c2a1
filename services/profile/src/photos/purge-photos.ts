import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { PhotosContext } from './photos.ts';
import type { Member } from '../members/document/member.ts';
import type { Upload } from './upload-store.ts';

const batch = 100;
/** Milliseconds after which no process works on an upload any more. */
const longestUploadMs = 60 * 60_000;

async function removeFiles(context: PhotosContext, photo: Upload): Promise<void> {
  if (!(await context.photos.findHeld(photo.id))) await context.photos.storage.remove(photo);
}

/** Removes the files of a member's deleted photos, then the photos themselves. */
export async function purgePhotos(context: PhotosContext, member: Member): Promise<void> {
  const gone = member.photos.filter(({ status }) => status === 'deleted');
  if (!gone.length) return;
  // A rejection that the history does not have yet refers to its photo too.
  await context.photos.moveDecisions(member);
  await Promise.all(gone.map((photo) => removeFiles(context, photo)));
  const ids = new Set(gone.map(({ id }) => id));
  await context.members.store.change(member._id, ({ photos }) =>
    photos.some(({ id }) => ids.has(id)) ? { photos: photos.filter(({ id }) => !ids.has(id)) } : undefined,
  );
}

/** Ends an upload, or the retention of a photo. Keeps the files where a member, a rejection or a report refers to the photo. */
export async function settleUpload(context: PhotosContext, upload: Upload): Promise<void> {
  const owner = await context.members.store.byPhoto(upload.id);
  const isOwned = owner?.photos.some(({ id, status }) => id === upload.id && status !== 'deleted') ?? false;
  if (!isOwned) await removeFiles(context, upload);
  await context.photos.uploads.end(upload.id);
}

/** Job: purges deleted photos and abandoned uploads that a crash or an outage left. Resolves with how many failed. */
export async function purgeLeftPhotos(context: PhotosContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, photos, clock, logger } = context;
  const before = new Date(clock().getTime() - longestUploadMs);
  const work = [
    ...(await members.store.withDeletedPhotos(batch)).map((member) => () => purgePhotos(context, member)),
    ...(await photos.uploads.begunBefore(before, batch)).map((upload) => () => settleUpload(context, upload)),
  ];
  return eachPart(work, (purge) => purge(), {
    mayGoOn,
    logger,
    left: 'photo files not removed: will retry',
  });
}
