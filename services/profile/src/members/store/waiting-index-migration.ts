import type { Migration } from '@covalence/migrations/migration';

/** Indexes of the version before, which `waitingIndex` replaces. */
const dropped = [
  ['members', 'waiting.profile_1'],
  ['members', 'waiting.text_1'],
  ['members', 'waiting.photo_1'],
  ['reports', 'open_at_1'],
] as const;

/** MongoDB's code of a collection that is not there: the service has not started yet. */
const namespaceNotFound = 26;

function unlessMissing(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === namespaceNotFound) return false;
  throw error;
}

/** Queues are read site by site, in the order of other indexes. */
export const waitingIndexMigration: Migration = {
  name: '0001-waiting-indexes',
  what: 'Drops the indexes of the queues that the version before used.',
  runs: 'after',
  async up({ collection, print }) {
    for (const [name, index] of dropped) {
      const documents = collection<Record<string, unknown>>(name);
      if (!(await documents.indexExists(index).catch(unlessMissing))) continue;
      await documents.dropIndex(index);
      print(`${name}: ${index} dropped`);
    }
  },
};
