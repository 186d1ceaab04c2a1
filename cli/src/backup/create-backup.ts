import { dayMs } from '@covalence/contract/time';
import { CommandError } from '@covalence/runtime/command-error';
import { assertWhole, isLost, type BackedUpService, type Databases } from './databases-store.ts';
import { recordDeletions } from './deletions.ts';
import {
  backedUpServices,
  backupFolders,
  idAt,
  listBackups,
  manifestFile,
  type Manifest,
} from './manifest.ts';
import { backUpPhotos } from './photos.ts';
import type { BackupStore, Disk } from './backup-store.ts';

/** The source and destination of a backup. */
interface BackupOptions {
  readonly databases: Databases;
  /** Undefined where the bucket keeps versions of its own. */
  readonly photos: Disk | undefined;
  readonly store: BackupStore;
  /** Days that backups are kept. */
  readonly days: number;
  /** Accepts a server that cannot read at one point. */
  readonly withoutSnapshot: boolean;
  /** Accepts that far fewer documents or photos are there than before. */
  readonly acceptLoss: boolean;
  readonly print: (line: string) => void;
}

type Collection = Manifest['collections'][number];

type Snapshot = ReturnType<Databases['startSnapshot']> | undefined;

async function writeCollection(
  { databases, store, print }: BackupOptions,
  { id, service, name, session }: { id: string; service: BackedUpService; name: string; session: Snapshot },
): Promise<Collection> {
  const files: Collection['files'] = [];
  let documents = 0;
  for await (const chunk of databases.read(service, name, session)) {
    const number = String(files.length + 1).padStart(6, '0');
    files.push(await store.write(`${id}/${service}.${name}.${number}`, chunk.bytes));
    documents += chunk.documents;
  }
  if (documents) print(`${service}/${name}: ${documents} documents`);
  return { service, name, documents, files };
}

/** Every collection, read at one cluster time where the server can. */
async function writeDatabases(options: BackupOptions, id: string): Promise<Collection[]> {
  const { databases } = options;
  // Listed before the first read, so that each exists at its time.
  const names = new Map<BackedUpService, string[]>();
  for (const service of backedUpServices) names.set(service, await databases.collections(service));
  const session = databases.hasSnapshots ? databases.startSnapshot() : undefined;
  try {
    const written: Collection[] = [];
    for (const [service, collections] of names)
      for (const name of collections)
        written.push(await writeCollection(options, { id, service, name, session }));
    return written;
  } finally {
    await session?.endSession();
  }
}

/** Collections that shrink only where members leave. */
const lasting: ReadonlySet<string> = new Set(['members', 'pairs', 'accounts', 'memberships', 'payments']);

/** Throws where far less is stored than in the backup before: the next restore would take this one. */
function assertNoLoss(before: Manifest | undefined, now: readonly Collection[]): void {
  for (const { service, name, documents } of before?.collections ?? []) {
    if (!lasting.has(name)) continue;
    const found = now.find((one) => one.service === service && one.name === name)?.documents ?? 0;
    if (isLost(documents, found))
      throw new CommandError(
        `${service}/${name} fell from ${documents} to ${found} documents since the backup ${before?.id}: restore first, or pass --accept-loss. Nothing was backed up.`,
      );
  }
}

/** Deletes backups that are too old, and unfinished ones of the day before; the newest finished one stays. */
async function deleteOld({ store, days }: BackupOptions, now: Date): Promise<string[]> {
  const finished = new Map((await listBackups(store)).map(({ id, point }) => [id, Date.parse(point)]));
  const newest = [...finished.keys()].at(-1);
  const isOld = (id: string) => {
    const point = finished.get(id);
    return point === undefined
      ? id < idAt(new Date(now.getTime() - dayMs))
      : point < now.getTime() - days * dayMs;
  };
  const old = (await backupFolders(store)).filter((id) => id !== newest && isOld(id));
  for (const id of old) await store.removeFolder(id);
  return old;
}

/** Makes a backup: the databases with their manifest, then the photos, which cannot hold it up. */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const { databases, photos, store, days, withoutSnapshot, acceptLoss, print } = options;
  if (!databases.hasSnapshots && !withoutSnapshot)
    throw new CommandError(
      'This MongoDB is no replica set: it cannot be read at one point. --without-snapshot reads it all the same.',
    );
  const began = new Date();
  const id = idAt(began);
  await assertWhole(databases);
  const before = (await listBackups(store)).at(-1);
  const collections = await writeDatabases(options, id);
  if (!acceptLoss) assertNoLoss(before, collections);
  // After the point, so that a restore knows of every deletion more than the backup does.
  await recordDeletions(databases, store, { days, acceptLoss });
  const manifest: Manifest = {
    format: 1,
    id,
    point: began.toISOString(),
    finished_at: new Date().toISOString(),
    snapshot: databases.hasSnapshots,
    encrypted: store.isEncrypted,
    collections,
    photos: null,
  };
  await store.writeJson(manifestFile(id), manifest);
  for (const old of await deleteOld(options, began)) print(`deleted the old backup ${old}`);
  if (!photos) return manifest;
  const stored = await backUpPhotos(photos, store, { at: began, days, acceptLoss });
  const whole = { ...manifest, photos: stored };
  await store.writeJson(manifestFile(id), whole);
  return whole;
}
