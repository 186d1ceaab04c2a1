import { currentMembershipOf, type Membership } from '@covalence/billing/memberships/membership';
import type { Databases } from './databases-store.ts';
import { repeatDeletions, type Register } from './deletions.ts';
import { backedUpServices } from './manifest.ts';

const perWrite = 1_000;

/** Far more numbers than a system gives out between a backup and its loss. */
const skippedNumbers = 1_000_000;

type StoredMembership = Omit<Membership, 'member'> & { readonly _id: number };

/**
 * Ends every sign-in: which were ended since the backup, perhaps because of a thief, nobody knows. Without the keys no access
 * token is valid. Devices get push messages again once their members sign in.
 */
async function endSignIns(databases: Databases): Promise<void> {
  await databases.collection('auth', 'families').deleteMany({});
  await databases.collection('auth', 'signing_keys').deleteMany({});
  // Links of a recovery open an account; one that was used or cancelled since must not.
  const accounts = databases.collection('auth', 'accounts');
  await accounts.updateMany({ recovery: { $exists: true } }, { $unset: { recovery: 1 } });
  // A change of address that the owner withdrew since must not be confirmed. The address is released as one that has expired.
  const over = new Date(0);
  await accounts.updateMany(
    { pending_email: { $exists: true } },
    { $set: { 'pending_email.until': over, addresses_expire_at: over } },
  );
  // A first password that was replaced since works no more.
  await accounts.updateMany(
    { initial_password_until: { $exists: true } },
    { $set: { initial_password_until: over } },
  );
  await databases
    .collection('profile', 'members')
    .updateMany({ push_subscriptions: { $exists: true } }, { $unset: { push_subscriptions: 1 } });
}

/** Tokens, links and files of members who came after the backup have their numbers: nobody gets one of them again. */
async function skipNumbers(databases: Databases, given: Register['numbers']): Promise<void> {
  const counters = databases.collection<{ _id: string; last: number }>('profile', 'counters');
  for (const [_id, last] of Object.entries(given)) await counters.updateOne({ _id }, { $max: { last } });
  await counters.updateMany({}, { $inc: { last: skippedNumbers } });
}

/** Copies memberships to members who had not got them at the point: the events on their way are lost. */
async function copyMemberships(databases: Databases): Promise<void> {
  const members = databases.collection<{ _id: number }>('profile', 'members');
  const copyOf = ({ _id, ...membership }: StoredMembership) => {
    const { expires_at, ...rest } = currentMembershipOf({ member: _id, ...membership });
    const copied = { ...rest, expires_at: expires_at === null ? null : new Date(expires_at) };
    const filter = { _id, 'membership.version': { $lt: rest.version } };
    return { updateOne: { filter, update: { $set: { membership: copied } } } };
  };
  const write = (some: readonly StoredMembership[]) =>
    members.bulkWrite(some.map(copyOf), { ordered: false });
  let some: StoredMembership[] = [];
  for await (const membership of databases.collection<StoredMembership>('billing', 'memberships').find()) {
    some.push(membership);
    if (some.length < perWrite) continue;
    await write(some);
    some = [];
  }
  if (some.length) await write(some);
}

/** Locks of processes that are gone would hold up jobs and migrations. */
async function releaseLeases(databases: Databases): Promise<void> {
  for (const service of backedUpServices) await databases.collection(service, 'leases').deleteMany({});
}

/** Inputs for making the restored databases ready for the services. */
interface Settlement {
  readonly databases: Databases;
  readonly deletions: Register | undefined;
  /** The highest numbers ever given, also after the point. */
  readonly numbers: Register['numbers'];
}

/** The steps by name; a repeated restore skips those that are done. */
export const settleSteps: Readonly<Record<string, (settlement: Settlement) => Promise<void>>> = {
  'end sign-ins': ({ databases }) => endSignIns(databases),
  'skip numbers': ({ databases, numbers }) => skipNumbers(databases, numbers),
  'repeat deletions': ({ databases, deletions }) => repeatDeletions(databases, deletions),
  'copy memberships': ({ databases }) => copyMemberships(databases),
  'release leases': ({ databases }) => releaseLeases(databases),
};
