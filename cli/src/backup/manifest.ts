import { CommandError } from '@covalence/runtime/command-error';
import { z } from 'zod';
import { storedFile, type BackupStore } from './backup-store.ts';

/** The services with a database, in the order in which they are read: who refers comes before what it refers to. */
export const backedUpServices = ['search', 'profile', 'billing', 'auth'] as const;

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** The time of its begin, which also orders backups. */
  id: z.string(),
  /** Everything acknowledged before is in it. */
  point: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  /** Whether all was read at one cluster time. */
  snapshot: z.boolean(),
  encrypted: z.boolean(),
  collections: z.array(
    z.strictObject({
      service: z.enum(backedUpServices),
      name: z.string(),
      documents: z.int(),
      files: z.array(storedFile),
    }),
  ),
  photos: z.int().nullable(),
});

/** The contents of a backup. The manifest is written last: a folder without one is no backup. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The number of documents in a backup. */
export const documentsOf = ({ collections }: Manifest): number =>
  collections.reduce((sum, { documents }) => sum + documents, 0);

/** The folder of a backup: its time without separators. */
const folderName = /^\d{8}T\d{9}Z$/;
export const idAt = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, '');

/** The path of a backup's manifest. */
export const manifestFile = (id: string): string => `${id}/manifest.json`;

/** The folders of backups, also unfinished ones, oldest first. */
export const backupFolders = async (store: BackupStore): Promise<string[]> =>
  (await store.folders()).filter((name) => folderName.test(name)).toSorted((a, b) => (a < b ? -1 : 1));

/** The finished backups, oldest first. */
export async function listBackups(store: BackupStore): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const id of await backupFolders(store)) {
    if (!(await store.has(manifestFile(id)))) continue;
    const manifest = await store.readJson(manifestFile(id), manifestSchema);
    if (manifest) manifests.push(manifest);
  }
  return manifests;
}

/** The backup with this id, or the newest one. */
export async function findBackup(store: BackupStore, id: string | undefined): Promise<Manifest> {
  const all = await listBackups(store);
  const found = id === undefined ? all.at(-1) : all.find((one) => one.id === id);
  if (!found)
    throw new CommandError(id === undefined ? 'There is no backup.' : `There is no finished backup ${id}.`);
  return found;
}

/**
 * Reads every file of documents of a backup and throws for one that is missing or was changed. `mayOpen` is false where the key
 * is kept elsewhere: then only checksums are compared.
 */
export async function verifyBackup(
  store: BackupStore,
  { collections }: Manifest,
  mayOpen = true,
): Promise<number> {
  const files = collections.flatMap((collection) => collection.files);
  for (const file of files) await store.check(file);
  // The key fits, before anything is replaced.
  const [first] = files;
  if (first && mayOpen) await store.read(first);
  return files.length;
}
