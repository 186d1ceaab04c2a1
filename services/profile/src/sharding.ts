import { by, whole, type Sharding } from '@covalence/migrations/sharding';

const ofMember = 'the id of its member';
const byStaff = 'grows with the work of staff';

/** Distribution of the service's collections over the shards of a MongoDB cluster. */
export const sharding: Sharding = {
  activity: by('_id', ofMember),
  affiliate_hits: whole('one document per affiliate and day'),
  appeals: whole(byStaff),
  approvals: whole(byStaff),
  bans: whole(byStaff),
  conversation_quotas: by('_id', ofMember, 'erasure'),
  counters: whole('one document per kind of number; a process takes 20 at once'),
  decisions: by('member', 'the history of a member is read as a whole', 'staff: by id or photo; jobs'),
  erasures: whole('only erasures in progress'),
  evidence: by('_id', 'found by the id in its report', 'staff: evidence on a member; jobs'),
  'fraud-warnings': whole(byStaff),
  leases: whole('one document per job'),
  like_quotas: by('_id', ofMember, 'erasure'),
  members: by(
    '_id',
    'calls, lists and events name members by number; of a UUID auth has one account with one number',
    'a photo by its public name (each fetch); a profile by UUID; reactivation; staff queues; jobs',
  ),
  messages: by(
    'from',
    'its id begins with the sender; a conversation is on two shards at most',
    'unread messages of a member (each list, badge and digest); jobs',
  ),
  notes: whole(byStaff),
  pairs: by(
    '_id',
    'both members are in the id, and each action changes one pair',
    'lists of connections and likes; changes for a search; jobs',
  ),
  'queue-claims': whole(byStaff),
  reports: by('_id', 'reported and reporter are in the id', 'staff queues and records; erasure'),
  result_quotas: by('_id', ofMember, 'erasure'),
  'scam-flags': whole('flags lose their member at erasure, and a shard key may not change'),
  'scam-signals': by('_id', 'a keyed hash, by which it is counted once', 'job: signals of a member; erasure'),
  threads: by('owner', 'its id begins with the owner, whose list is one query'),
  'transparency-months': whole('one document per month'),
  'undoable-decisions': whole(byStaff),
  uploads: whole('only uploads in progress'),
  view_quotas: by('_id', ofMember, 'erasure'),
  views: by('viewed', 'its id begins with the viewed member, whose list is one query', 'export and erasure'),
};
