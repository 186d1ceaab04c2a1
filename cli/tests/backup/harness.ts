import { createBackup } from '@covalence/cli/backup/create-backup';
import { openDatabases } from '@covalence/cli/backup/databases-store';
import { findBackup } from '@covalence/cli/backup/manifest';
import { createBackupStore } from '@covalence/cli/backup/backup-store';
import { restore, type RestoreOptions } from '@covalence/cli/backup/restore';
import { createSealing } from '@covalence/cli/backup/sealing';
import { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { createHealth } from '@covalence/runtime/health';
import { createLogger } from '@covalence/runtime/logger';
import { connectMongo } from '@covalence/runtime/mongo';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds of a day. */
export const day = 86_400_000;
/** Days that backups are kept. */
export const days = 30;
/** A time from now. */
export const at = (offset: number): Date => new Date(Date.now() + offset);

/** A member's document with the fields that backups look at. */
export const member = (id: number, more: object = {}) => ({
  _id: id,
  deactivated: false,
  deleted: false,
  membership: { status: 'none', autorenew: false, expires_at: null, version: 0 },
  ...more,
});

/** One who is to be erased. */
export const due = (id: number, erase_at: Date, more: object = {}) =>
  member(id, { deactivated: true, erase_at, ...more });

/** Databases of a suite, without services. */
export type Backups = Awaited<ReturnType<typeof startBackups>>;

/** Opens empty databases and folders. */
export async function startBackups(suite: string) {
  const namespace = testNamespace(suite);
  const {
    MONGODB_URL,
    RABBITMQ_URL: rabbitmq,
    REDIS_URL: redis,
    ELASTICSEARCH_URL: elasticsearch,
  } = testStores();
  const databases = await openDatabases(MONGODB_URL, namespace);
  const folder = mkdtempSync(join(tmpdir(), 'covalence-backup-'));
  const photos = createDisk({ folder: join(folder, 'photos') });
  const disk = createDisk({ folder: join(folder, 'backups') });
  const storeWith = (recipients: string[], identities: string[]) =>
    createBackupStore(disk, createSealing(recipients, identities), join(folder, 'backups'));
  const store = storeWith([], []);
  const standard = { databases, store, photos, days, print: () => {} };
  return {
    databases,
    photos,
    /** The folder of the backups. */
    folder: join(folder, 'backups'),
    store,
    /** The same folder, encrypted for recipients. */
    storeWith,
    members: databases.collection<{ _id: number } & Record<string, unknown>>('profile', 'members'),
    backUp: (into = store) =>
      createBackup({ ...standard, store: into, withoutSnapshot: true, acceptLoss: false }),
    restore: async (more: Partial<RestoreOptions> = {}) =>
      restore({
        ...standard,
        copies: { namespace, rabbitmq, redis, elasticsearch },
        from: more.from ?? (await findBackup(more.store ?? store, undefined)),
        replace: true,
        ignoreDeletions: false,
        ...more,
      }),
    /** Connects as a service does. */
    connect: (service: string) =>
      connectMongo({
        url: MONGODB_URL,
        database: `${namespace}-${service}`,
        logger: createLogger('test', 'silent'),
        health: createHealth(),
      }),
    async close() {
      for (const service of ['auth', 'profile', 'search', 'billing'] as const)
        for (const name of await databases.collections(service)) await databases.empty(service, name);
      await databases.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
