import type { MembershipStatus } from '@covalence/contract/record';
import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { dropIndex } from '@covalence/migrations/drop-index';
import { updateEach } from '@covalence/migrations/update-each';
import { dueAt, type MembershipFacts } from '../memberships/membership.ts';

interface StoredMembership extends MembershipFacts {
  _id: number;
  status: MembershipStatus;
  version: number;
  due_at?: Date | null;
}

/** Without `due_at` the job never sees a membership, so it would neither be renewed nor end. */
const setDueAt = (work: MigrationWork): Promise<number> =>
  updateEach<StoredMembership>(work, {
    collection: 'memberships',
    filter: { due_at: { $exists: false } },
    set: ({ _id, ...membership }) => ({ due_at: dueAt({ member: _id, ...membership }) }),
  });

/** Memberships say when the expiry job has to look at them; those from before that know it from now on. */
export const setDueTimes: Migration = {
  name: '0001-memberships-due-at',
  what: 'memberships get the time at which they have to be renewed or ended',
  runs: 'before',
  async up(work) {
    await setDueAt(work);
  },
};

/** What the version before wrote in the meantime, and the index that only it read. */
export const finishDueTimes: Migration = {
  name: '0002-memberships-due-at-rest',
  what: 'the same for those written meanwhile; the index by status and expiry goes',
  runs: 'after',
  async up(work) {
    await setDueAt(work);
    await dropIndex(work, 'memberships', 'status_1_expires_at_1');
  },
};
