import type { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { CommandError } from '@covalence/runtime/command-error';
import { jsonText } from '@covalence/runtime/json-text';
import { hash } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Sealing } from './sealing.ts';

/** A file of a backup as it is stored: compressed and encrypted. */
export const storedFile = z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() });

type StoredFile = z.infer<typeof storedFile>;

/** The folder or bucket that holds backups. */
export type BackupStore = ReturnType<typeof createBackupStore>;

/** A folder or bucket. */
export type Disk = ReturnType<typeof createDisk>;

/** The names of all files below a folder, and of the folders in it. */
async function listed(disk: Disk, folder: string, recursive: boolean) {
  const [names, folders]: [string[], string[]] = [[], []];
  let paginationToken: string | undefined;
  do {
    const page = await disk
      .listAll(folder, { recursive, ...(paginationToken && { paginationToken }) })
      .catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
    for (const object of page?.objects ?? [])
      if (object.isFile) names.push(object.key);
      else folders.push(object.name);
    paginationToken = page?.paginationToken;
  } while (paginationToken);
  return { names, folders };
}

/** The names of the files of a storage. */
export const filesOf = async (disk: Disk, folder = '/'): Promise<string[]> => {
  const prefix = folder === '/' ? '' : `${folder}/`;
  return (await listed(disk, folder, true)).names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
};

/** Content of a backup folder while it is being written. */
const unfinished = 'unfinished';

/** Creates the store on the files of a bucket, or of `folder`. */
export function createBackupStore(disk: Disk, sealing: Sealing, folder?: string) {
  /** Writes a whole file or none: a bucket does so by itself, and a part would count as backed up. */
  const put = async (name: string, content: Uint8Array | string, contentType: string): Promise<void> => {
    if (folder === undefined) return disk.put(name, content, { contentType });
    const part = `${unfinished}/${name.replaceAll('/', '.')}`;
    await disk.put(part, content, { contentType });
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await rename(join(folder, part), join(folder, name));
  };
  const raw = async ({ name, sha256 }: StoredFile): Promise<Uint8Array> => {
    const bytes = await disk.getBytes(name);
    if (hash('sha256', bytes) !== sha256)
      throw new CommandError(`The backup is damaged: ${name} is not what was stored.`);
    return bytes;
  };
  return {
    isEncrypted: sealing.isEncrypted,
    async write(name: string, bytes: Uint8Array): Promise<StoredFile> {
      const sealed = await sealing.seal(bytes);
      await put(name, sealed, 'application/octet-stream');
      return { name, bytes: sealed.length, sha256: hash('sha256', sealed) };
    },
    /** Throws where the file is missing or was changed. */
    read: async (file: StoredFile): Promise<Uint8Array> => sealing.open(await raw(file)),
    readNamed: async (name: string): Promise<Uint8Array> => sealing.open(await disk.getBytes(name)),
    async check(file: StoredFile): Promise<void> {
      await raw(file);
    },
    /** Writes JSON that everybody who may read the store can read: it names no member but by number. */
    async writeJson(name: string, value: unknown) {
      await put(name, JSON.stringify(value), 'application/json');
    },
    /** Undefined for JSON that is missing or does not match the schema. */
    readJson: async <Content>(name: string, schema: z.ZodType<Content>): Promise<Content | undefined> =>
      jsonText.pipe(schema).safeParse(await disk.get(name).catch(() => undefined)).data,
    has: (name: string): Promise<boolean> => disk.exists(name),
    files: (folder: string): Promise<string[]> => filesOf(disk, folder),
    folders: async (): Promise<string[]> =>
      (await listed(disk, '/', false)).folders.filter((name) => name !== unfinished),
    remove: (name: string): Promise<void> => disk.delete(name),
    removeFolder: (name: string): Promise<void> => disk.deleteAll(`${name}/`),
  };
}
