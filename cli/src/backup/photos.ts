import { photoSuffix } from '@covalence/contract/photo-files';
import { dayMs } from '@covalence/contract/time';
import { chunks } from '@covalence/runtime/chunks';
import { CommandError } from '@covalence/runtime/command-error';
import { hasShrunk, type Databases } from './databases-store.ts';
import { filesOf, type BackupStore, type Disk } from './backup-store.ts';
import { z } from 'zod';

const folder = 'photos';
/** Since when photos of the backups are no longer stored, by name. */
const goneFile = 'photos-gone.json';
const goneSchema = z.record(z.string(), z.iso.datetime());

const atOnce = 8;

/** Does the work on each photo, and returns those whose work failed: one cannot hold up the others. */
async function eachAtOnce(
  names: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const some of chunks(names, atOnce))
    await Promise.all(some.map((name) => work(name).catch(() => void failed.push(name))));
  return failed;
}

/** A photo may be deleted while its backup is made. */
const bytesUnlessGone = (photos: Disk, name: string): Promise<Uint8Array | undefined> =>
  photos.getBytes(name).catch(async (error: unknown) => {
    if (await photos.exists(name)) throw error;
    return undefined;
  });

/** A file that is damaged is begun again: photos stay longer. */
const goneIn = async (store: BackupStore): Promise<Record<string, string>> =>
  (await store.readJson(goneFile, goneSchema)) ?? {};

interface Period {
  readonly at: Date;
  readonly days: number;
  readonly acceptLoss: boolean;
}

/** Deletes photos from the backups that have been deleted from the storage for `days`. */
async function forgetGone(
  store: BackupStore,
  kept: readonly string[],
  stored: ReadonlySet<string>,
  { at, days, acceptLoss }: Period,
) {
  const before = await goneIn(store);
  const present = kept.filter((name) => before[name] === undefined);
  const left = present.filter((name) => stored.has(name)).length;
  if (!acceptLoss && hasShrunk(present.length, left))
    throw new CommandError(
      `${present.length - left} of ${present.length} photo files are gone: copy them back by restore --photos-only, or pass --accept-loss. The databases are backed up.`,
    );
  const gone = kept
    .filter((name) => !stored.has(name))
    .map((name) => [name, before[name] ?? at.toISOString()] as const);
  const isOver = (since: string) => at.getTime() - Date.parse(since) > days * dayMs;
  const over = gone.filter(([, since]) => isOver(since)).map(([name]) => name);
  const failed = new Set(await eachAtOnce(over, (name) => store.remove(`${folder}/${name}`)));
  const remaining = gone.filter(([name, since]) => !isOver(since) || failed.has(name));
  await store.writeJson(goneFile, Object.fromEntries(remaining));
}

/** Copies the photos that the backups do not have: no name is ever reused. Returns how many photos are stored. */
export async function backUpPhotos(photos: Disk, store: BackupStore, period: Period): Promise<number> {
  const stored = new Set(await filesOf(photos));
  const kept = await store.files(folder);
  const known = new Set(kept);
  const failed = await eachAtOnce(
    [...stored].filter((name) => !known.has(name)),
    async (name) => {
      const bytes = await bytesUnlessGone(photos, name);
      if (bytes) await store.write(`${folder}/${name}`, bytes);
    },
  );
  await forgetGone(store, kept, stored, period);
  if (failed.length)
    throw new CommandError(
      `${failed.length} photo files cannot be copied, such as ${failed[0]}. The databases are backed up.`,
    );
  return stored.size;
}

interface WithPhotos {
  readonly photos: readonly { stem: string; extension: string; sizes: readonly number[] }[];
}

/** Those of the files that a member's document names. */
async function shownOf(databases: Databases, names: ReadonlySet<string>): Promise<Set<string>> {
  const shown = new Set<string>();
  if (!names.size) return shown;
  const members = databases
    .collection<WithPhotos>('profile', 'members')
    .find({ 'photos.0': { $exists: true } }, { projection: { photos: 1 } });
  for await (const { photos } of members)
    for (const { stem, extension, sizes } of photos)
      for (const name of sizes.map((size) => `${stem}${photoSuffix(size)}${extension}`))
        if (names.has(name)) shown.add(name);
  return shown;
}

/**
 * Copies back the photos that are missing, but for those that were deleted before `point` and are not shown. Returns how many,
 * and those that cannot be read.
 */
export async function restorePhotos(
  photos: Disk,
  { databases, store, point }: { databases: Databases; store: BackupStore; point: Date },
): Promise<{ copied: number; failed: string[] }> {
  const stored = new Set(await filesOf(photos));
  const gone = await goneIn(store);
  const missing = (await store.files(folder)).filter((name) => !stored.has(name));
  const isGone = (name: string) => Date.parse(gone[name] ?? '') <= point.getTime();
  const shown = await shownOf(databases, new Set(missing.filter(isGone)));
  const wanted = missing.filter((name) => !isGone(name) || shown.has(name));
  const failed = await eachAtOnce(wanted, async (name) => {
    await photos.put(name, await store.readNamed(`${folder}/${name}`), {
      contentType: 'image/jpeg',
      cacheControl: 'private, no-store',
    });
  });
  return { copied: wanted.length - failed.length, failed };
}
