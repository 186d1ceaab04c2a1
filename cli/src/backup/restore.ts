import { CommandError } from '@covalence/runtime/command-error';
import { assertStopped, emptySteps, type Copies } from './copies.ts';
import { assertReleased, type Databases } from './databases-store.ts';
import { readDeletions, recordDeletions } from './deletions.ts';
import { backedUpServices, documentsOf, verifyBackup, type Manifest } from './manifest.ts';
import { restorePhotos } from './photos.ts';
import type { BackupStore, Disk } from './backup-store.ts';
import { settleSteps } from './settle.ts';

/** The source and destination of a restore. */
export interface RestoreOptions {
  readonly databases: Databases;
  readonly photos: Disk;
  readonly store: BackupStore;
  readonly copies: Copies;
  /** The backup; or the point at which other tools have restored MongoDB. */
  readonly from: Manifest | Date;
  /** Deletes what the system holds. */
  readonly replace: boolean;
  /** Leaves deletions as they were at the point. */
  readonly ignoreDeletions: boolean;
  /** Days that backups are kept. */
  readonly days: number;
  readonly print: (line: string) => void;
}

/** Begins, or goes on where an interrupted restore of the same point ended. Returns the steps that are done. */
async function begin(options: RestoreOptions, from: string): Promise<Set<string>> {
  const { databases, store, replace, days, print } = options;
  const found = await databases.progress.findOne({ _id: 'restore' });
  if (found && !found.finished_at && found.from === from) return new Set(found.done);
  const isLoaded = options.from instanceof Date;
  if (!isLoaded && !(await databases.isEmpty())) {
    if (!replace) throw new CommandError('The system has data: --replace deletes it.');
    // Deletions made in this system until now must outlive its replacement, unless it is damaged or half restored.
    if (!found || found.finished_at)
      await recordDeletions(databases, store, { days, acceptLoss: false }).catch((error: unknown) => {
        if (!(error instanceof CommandError)) throw error;
        print(error.message);
      });
  }
  const progress = { from, done: [] };
  for (const restores of databases.restores)
    await restores.replaceOne({ _id: 'restore' }, progress, { upsert: true });
  return new Set();
}

/** Runs each step that is not done yet, and notes it. */
async function runSteps(
  { databases, print }: RestoreOptions,
  done: ReadonlySet<string>,
  steps: Steps,
): Promise<void> {
  for (const [name, step] of steps) {
    if (done.has(name)) continue;
    await step();
    await databases.progress.updateOne({ _id: 'restore' }, { $push: { done: name } });
    print(name);
  }
}

type Steps = readonly (readonly [name: string, step: () => Promise<unknown>])[];

/** Steps that empty the databases and load a backup. */
function loading({ databases, store }: RestoreOptions, { collections }: Manifest): Steps {
  const empty = async () => {
    for (const service of backedUpServices)
      for (const name of await databases.collections(service)) await databases.empty(service, name);
  };
  return [
    ['empty MongoDB', empty],
    ...collections.map(({ service, name, documents, files }) => {
      const load = async () => {
        // An interrupted run may have loaded a part.
        if ((await databases.collections(service)).includes(name)) await databases.empty(service, name);
        let loaded = 0;
        for (const file of files) loaded += await databases.load(service, name, await store.read(file));
        if (loaded !== documents)
          throw new CommandError(
            `The backup is damaged: ${service}/${name} has ${loaded} of ${documents} documents.`,
          );
      };
      return [`load ${service}/${name}: ${documents} documents`, load] as const;
    }),
  ];
}

/** Restores all stores to one point. It can be repeated after an interruption. Services must be stopped. */
export async function restore(options: RestoreOptions) {
  const { databases, photos, store, copies, from, ignoreDeletions, print } = options;
  const begun = performance.now();
  await assertStopped(copies);
  await assertReleased(databases, backedUpServices);
  const isLoaded = from instanceof Date;
  const point = isLoaded ? from : new Date(from.point);
  if (!isLoaded) print(`verified ${await verifyBackup(store, from)} files, ${documentsOf(from)} documents`);
  const done = await begin(options, point.toISOString());
  // An older record knows less than what was restored, but for numbers.
  const deletions = ignoreDeletions ? undefined : await readDeletions(store, point);
  const { numbers = {} } = (await readDeletions(store)) ?? {};
  const settlement = { databases, deletions, numbers };
  let [copied, unreadable]: [number, string[]] = [0, []];
  const copyPhotos = async () => {
    ({ copied, failed: unreadable } = await restorePhotos(photos, { databases, store, point }));
    if (unreadable.length) print(`${unreadable.length} photo files cannot be read, such as ${unreadable[0]}`);
  };
  await runSteps(options, done, [
    ...(isLoaded ? [] : loading(options, from)),
    ...Object.entries(settleSteps).map(([name, settle]) => [name, () => settle(settlement)] as const),
    ...Object.entries(emptySteps).map(([name, empty]) => [name, () => empty(copies)] as const),
    ['copy photos', copyPhotos],
  ]);
  const finished = { $set: { finished_at: new Date() } };
  for (const restores of databases.restores) await restores.updateOne({ _id: 'restore' }, finished);
  return {
    point: point.toISOString(),
    documents: isLoaded ? null : documentsOf(from),
    photos: copied,
    photos_unreadable: unreadable.length,
    /** How long this run took. */
    seconds: Math.ceil((performance.now() - begun) / 1_000),
    /** Until when deletions are known; null where none were repeated. */
    deletions_until: deletions?.at.toISOString() ?? null,
  };
}
