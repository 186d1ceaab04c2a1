import { dropIndex } from '@covalence/migrations/drop-index';
import type { Migration } from '@covalence/migrations/migration';

const former = [
  ['views', 'viewed_1_at_1'],
  ['pairs', 'low_1_connected_at_1'],
  ['pairs', 'high_1_connected_at_1'],
  ['pairs', 'awaits_1_awaits_at_1'],
] as const;

/** Indexes that did not give the order of the lists of activity; those that do are made when a process starts. */
export const dropListIndexes: Migration = {
  name: '0003-list-indexes',
  what: 'indexes that lists of views, connections and likes were read by go',
  runs: 'after',
  async up(work) {
    for (const [collection, index] of former) await dropIndex(work, collection, index);
  },
};
