import { chunks } from '@covalence/runtime/chunks';
import { z } from 'zod';
import { assertWhole, type Databases } from './databases-store.ts';
import type { Place } from './place.ts';

const time = z.coerce.date();

const entrySchema = z.discriminatedUnion('kind', [
  /** Is to be erased; `deleted` by staff, with the time of an own deletion before. */
  z.strictObject({
    kind: z.literal('due'),
    id: z.int(),
    deactivated: z.boolean(),
    deleted: z.boolean(),
    erase_at: time,
    own_erase_at: time.optional(),
  }),
  z.strictObject({ kind: z.literal('erased'), id: z.int(), at: time }),
  /** Came back before the erasure. */
  z.strictObject({ kind: z.literal('kept'), id: z.int(), deactivated: z.boolean(), at: time }),
]);

const registerSchema = z.strictObject({
  at: time,
  members: z.array(entrySchema),
  /** Members who were suspended within the days that backups are kept. */
  suspended: z.array(z.int()),
  /** Disabled staff accounts and client applications. */
  accounts: z.array(z.string()),
  clients: z.array(z.string()),
});

type Entry = z.infer<typeof entrySchema>;

/** What must stay ended after a restore: deletions and suspensions of the last days, disabled staff accounts and clients. */
export type Register = z.infer<typeof registerSchema>;

/** The fields of a member's document that this reads and writes. */
interface StoredMember {
  readonly _id: number;
  readonly deactivated: boolean;
  readonly deleted: boolean;
  readonly suspended: boolean;
  readonly deactivation_changed_at?: Date;
  readonly tokens_ended_at?: Date;
  readonly erase_at?: Date;
  readonly own_erase_at?: Date;
}

interface Named {
  readonly _id: string;
  readonly id?: number;
  readonly disabled?: boolean;
}

const folder = 'deletions';
/** Registers that stay, in case that the newest is damaged. */
const kept = 12;
const day = 86_400_000;
const perQuery = 1_000;

const fields = { deactivated: 1, deleted: 1, erase_at: 1, own_erase_at: 1 } as const;

const membersOf = (databases: Databases) => databases.collection<StoredMember>('profile', 'members');

const dueEntry = ({ _id: id, deactivated, deleted, own_erase_at }: StoredMember, erase_at: Date): Entry => ({
  kind: 'due',
  id,
  deactivated,
  deleted,
  erase_at,
  ...(own_erase_at && { own_erase_at }),
});

/** The newest register that can be read, unless it is older than `since`. */
export async function readDeletions(place: Place, since = new Date(0)): Promise<Register | undefined> {
  for (const name of (await place.files(folder)).toSorted().toReversed()) {
    const { data } = registerSchema.safeParse(
      await place.readJson(`${folder}/${name}`).catch(() => undefined),
    );
    if (data) return data.at >= since ? data : undefined;
  }
  return undefined;
}

/** What became of a member who was to be erased and is not any more. */
function outcome(before: Entry, member: StoredMember | undefined, at: Date): Entry {
  if (before.kind !== 'due') return before;
  if (member) return { kind: 'kept', id: before.id, deactivated: member.deactivated, at };
  // Nobody is erased earlier: the document is missing because the database is damaged.
  return before.erase_at > at ? before : { kind: 'erased', id: before.id, at };
}

async function membersNow(
  databases: Databases,
  at: Date,
  before: readonly Entry[],
  days: number,
): Promise<Entry[]> {
  const members = membersOf(databases);
  const due = await members.find({ erase_at: { $exists: true } }, { projection: fields }).toArray();
  const now = due.flatMap((member) => (member.erase_at ? [dueEntry(member, member.erase_at)] : []));
  const known = new Set(now.map(({ id }) => id));
  const since = at.getTime() - days * day;
  const others = before.filter(
    (entry) => !known.has(entry.id) && (entry.kind === 'due' || entry.at.getTime() > since),
  );
  const found = new Map<number, StoredMember>();
  for (const some of chunks(others, perQuery)) {
    const ids = some.map(({ id }) => id);
    for await (const member of members.find({ _id: { $in: ids } }, { projection: fields }))
      found.set(member._id, member);
  }
  return [...now, ...others.map((entry) => outcome(entry, found.get(entry.id), at))];
}

async function suspendedSince(databases: Databases, since: Date): Promise<number[]> {
  const changed = { deactivation_changed_at: { $gte: since }, suspended: true };
  return (
    await membersOf(databases)
      .find(changed, { projection: { _id: 1 } })
      .toArray()
  ).map(({ _id }) => _id);
}

async function disabledIn(
  databases: Databases,
  name: 'accounts' | 'clients',
  filter: object,
): Promise<string[]> {
  const found = databases
    .collection<Named>('auth', name)
    .find({ ...filter, disabled: true }, { projection: { _id: 1 } });
  return (await found.toArray()).map(({ _id }) => _id);
}

/** Writes the register of a system as it is now; those of erased members stay in it for as long as backups. */
export async function recordDeletions(databases: Databases, place: Place, days: number): Promise<Register> {
  await assertWhole(databases);
  const at = new Date();
  const before = await readDeletions(place);
  // The database is lost: what was known must not be forgotten.
  if (before && (await databases.isEmpty())) return before;
  const register = {
    at,
    members: await membersNow(databases, at, before?.members ?? [], days),
    suspended: await suspendedSince(databases, new Date(at.getTime() - days * day)),
    // Staff have no member number, by which accounts are found.
    accounts: await disabledIn(databases, 'accounts', { id: 0 }),
    clients: await disabledIn(databases, 'clients', {}),
  };
  await place.writeJson(`${folder}/${at.toISOString().replaceAll(/[-:.]/g, '')}.json`, register);
  const files = (await place.files(folder)).toSorted().toReversed();
  for (const name of files.slice(kept)) await place.remove(`${folder}/${name}`);
  return register;
}

const withoutTimes = { erase_at: 1, own_erase_at: 1 } as const;

/** The change of a member who was to be erased at the point already. */
function changeOf(entry: Entry, now: Date) {
  if (entry.kind === 'erased')
    return { $set: { deactivated: true, erase_at: now }, $unset: { own_erase_at: 1 as const } };
  if (entry.kind === 'kept')
    return { $set: { deactivated: entry.deactivated, deleted: false }, $unset: withoutTimes };
  const { deactivated, deleted, erase_at, own_erase_at } = entry;
  const $set = { deactivated, deleted, erase_at, ...(own_erase_at && { own_erase_at }) };
  return own_erase_at ? { $set } : { $set, $unset: { own_erase_at: 1 as const } };
}

/**
 * The writes of an entry. Who was not deleted at the point is not erased at once, whatever the register says: who could change
 * it could erase everybody.
 */
function writesOf(entry: Entry, now: Date) {
  const known = { _id: entry.id, erase_at: { $exists: true } };
  const atPoint = { updateOne: { filter: known, update: changeOf(entry, now) } };
  if (entry.kind === 'kept') return [atPoint];
  const { deactivated, deleted } = entry.kind === 'due' ? entry : { deactivated: true, deleted: false };
  const begun = { $set: { deactivated, deleted, erase_at: new Date(now.getTime() + 30 * day) } };
  const asked = { _id: entry.id, erase_at: { $exists: false } };
  return [atPoint, { updateOne: { filter: asked, update: begun } }];
}

/**
 * Gives members the time again in which they can take a deletion back, where the register does not know what became of it:
 * they may have done so since the backup.
 */
async function prolong(databases: Databases, known: readonly number[], now: Date): Promise<void> {
  const later = new Date(now.getTime() + 30 * day);
  const isKnown = new Set(known);
  const members = membersOf(databases);
  const waiting = members.find(
    { $or: [{ erase_at: { $gt: now } }, { own_erase_at: { $gt: now } }] },
    { projection: fields },
  );
  for await (const { _id, erase_at, own_erase_at } of waiting) {
    if (isKnown.has(_id)) continue;
    const moved = { ...(erase_at && { erase_at: later }), ...(own_erase_at && { own_erase_at: later }) };
    await members.updateOne({ _id }, { $set: moved });
  }
}

/** Repeats the deletions of the register on a restored database; the erasures are due at once. */
export async function repeatDeletions(databases: Databases, register: Register | undefined): Promise<void> {
  const now = new Date();
  const { members: entries = [], suspended = [], accounts = [], clients = [] } = register ?? {};
  for (const some of chunks(entries, perQuery)) {
    // In order: the first write of an entry makes the second one find nothing.
    await membersOf(databases).bulkWrite(some.flatMap((entry) => writesOf(entry, now)));
  }
  await prolong(
    databases,
    entries.map(({ id }) => id),
    now,
  );
  await membersOf(databases).updateMany(
    { _id: { $in: [...suspended] }, suspended: { $ne: true } },
    { $set: { suspended: true, deactivation_changed_at: now, tokens_ended_at: now } },
  );
  const disable = (name: 'accounts' | 'clients', ids: readonly string[]) =>
    databases
      .collection<Named>('auth', name)
      .updateMany({ _id: { $in: [...ids] } }, { $set: { disabled: true } });
  await disable('accounts', accounts);
  await disable('clients', clients);
}
