import { dropIndex } from '@covalence/migrations/drop-index';
import type { Migration } from '@covalence/migrations/migration';

/** A sharded collection cannot have the unique index, by which the version before kept a UUID from a second member. */
export const uuidIndexMigration: Migration = {
  name: '0002-uuid-index',
  what: 'Drops the unique index of the UUIDs of members, which the id of the account replaces.',
  runs: 'after',
  up: (work) => dropIndex(work, 'members', 'member_id_1'),
};
