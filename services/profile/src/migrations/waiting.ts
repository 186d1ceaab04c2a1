import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { updateEach } from '@covalence/migrations/update-each';
import type { Member } from '../members/document/member.ts';
import { waitingOf } from '../members/document/waiting.ts';

/**
 * The queue of Customer Service reads `waiting`, which writes of a member keep. A member last written before that existed
 * waits since joining; tombstones have negative ids.
 */
const setWaiting = (work: MigrationWork): Promise<number> =>
  updateEach<Member>(work, {
    collection: 'members',
    filter: { _id: { $gt: 0 }, deleted: false, waiting: { $exists: false } },
    set: (member) => {
      const waiting = waitingOf(member, member.joined);
      return waiting && { waiting };
    },
  });

/** Members whose profile, texts or photos wait for a review stand in the queue. */
export const queueWaiting: Migration = {
  name: '0001-members-waiting',
  what: 'members that wait for a review stand in the queue of Customer Service',
  runs: 'before',
  async up(work) {
    await setWaiting(work);
  },
};

/** What the version before wrote in the meantime. */
export const queueRest: Migration = {
  name: '0002-members-waiting-rest',
  what: 'the same for those written meanwhile',
  runs: 'after',
  async up(work) {
    await setWaiting(work);
  },
};
