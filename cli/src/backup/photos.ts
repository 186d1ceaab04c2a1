import type { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { chunks } from '@covalence/runtime/chunks';
import { filesOf, type Place } from './place.ts';
import { z } from 'zod';

type Disk = ReturnType<typeof createDisk>;

const folder = 'photos';
/** Since when photos of the backups are no longer stored, by name. */
const goneFile = 'photos-gone.json';
const goneSchema = z.record(z.string(), z.iso.datetime());

const atOnce = 8;
const day = 86_400_000;

async function eachAtOnce(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  for (const some of chunks(names, atOnce)) await Promise.all(some.map(work));
}

/** A photo may be deleted while its backup is made. */
const bytesUnlessGone = (photos: Disk, name: string): Promise<Uint8Array | undefined> =>
  photos.getBytes(name).catch(async (error: unknown) => {
    if (await photos.exists(name)) throw error;
    return undefined;
  });

const goneIn = async (place: Place): Promise<Record<string, string>> =>
  (await place.has(goneFile)) ? goneSchema.parse(await place.readJson(goneFile)) : {};

/** Deletes photos from the backups that have been deleted from the storage for `days`. */
async function forgetGone(
  place: Place,
  kept: readonly string[],
  stored: ReadonlySet<string>,
  at: Date,
  days: number,
) {
  const before = await goneIn(place);
  const gone = kept
    .filter((name) => !stored.has(name))
    .map((name) => [name, before[name] ?? at.toISOString()] as const);
  const isOver = (since: string) => at.getTime() - Date.parse(since) > days * day;
  const over = gone.filter(([, since]) => isOver(since));
  await eachAtOnce(
    over.map(([name]) => `${folder}/${name}`),
    (name) => place.remove(name),
  );
  await place.writeJson(goneFile, Object.fromEntries(gone.filter(([, since]) => !isOver(since))));
}

/** Copies the photos that the backups do not have: no name is ever reused. Returns how many photos are stored. */
export async function backUpPhotos(photos: Disk, place: Place, at: Date, days: number): Promise<number> {
  const stored = new Set(await filesOf(photos));
  const kept = await place.files(folder);
  const known = new Set(kept);
  await eachAtOnce(
    [...stored].filter((name) => !known.has(name)),
    async (name) => {
      const bytes = await bytesUnlessGone(photos, name);
      if (bytes) await place.write(`${folder}/${name}`, bytes);
    },
  );
  await forgetGone(place, kept, stored, at, days);
  return stored.size;
}

/** Copies back the photos that are missing, but for those that were deleted before `point`. Returns how many. */
export async function restorePhotos(photos: Disk, place: Place, point: Date): Promise<number> {
  const stored = new Set(await filesOf(photos));
  const gone = await goneIn(place);
  const isGone = (name: string) => Date.parse(gone[name] ?? '') <= point.getTime();
  const missing = (await place.files(folder)).filter((name) => !stored.has(name) && !isGone(name));
  await eachAtOnce(missing, async (name) => {
    await photos.put(name, await place.readNamed(`${folder}/${name}`), {
      contentType: 'image/jpeg',
      cacheControl: 'private, no-store',
    });
  });
  return missing.length;
}
