import { dayMs } from '@covalence/contract/time';
import { chunks } from '@covalence/runtime/chunks';
import { CommandError } from '@covalence/runtime/command-error';
import { z } from 'zod';
import { assertWhole, isLost, type Databases } from './databases-store.ts';
import { idAt } from './manifest.ts';
import type { BackupStore } from './backup-store.ts';

const time = z.coerce.date();

const entrySchema = z.discriminatedUnion('kind', [
  /** A member to erase; `deleted` by staff, with the time of an earlier deletion by the member. */
  z.strictObject({
    kind: z.literal('due'),
    id: z.int(),
    deactivated: z.boolean(),
    deleted: z.boolean(),
    erase_at: time,
    own_erase_at: time.optional(),
    version: z.int().optional(),
  }),
  /** Is erased, or its erasure is under way: nothing can end that. */
  z.strictObject({ kind: z.literal('erased'), id: z.int(), at: time }),
  /** Came back before the erasure. */
  z.strictObject({
    kind: z.literal('kept'),
    id: z.int(),
    deactivated: z.boolean(),
    at: time,
    version: z.int().optional(),
  }),
]);

const registerSchema = z.strictObject({
  at: time,
  members: z.array(entrySchema),
  /** Members who were suspended within the days that backups are kept. */
  suspended: z.array(z.int()),
  /** Disabled staff accounts and client applications. */
  accounts: z.array(z.string()),
  clients: z.array(z.string()),
  /** The highest numbers ever given, by kind: they stay used. */
  numbers: z.record(z.string(), z.int()),
  /** The number of accounts and members. */
  documents: z.strictObject({ accounts: z.int(), members: z.int() }),
});

type Entry = z.infer<typeof entrySchema>;

/** States that must stay ended after a restore: deletions and suspensions of the last days, disabled staff accounts and clients. */
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
  readonly version?: number;
}

interface Named {
  readonly _id: string;
  readonly id?: number;
  readonly disabled?: boolean;
}

const folder = 'deletions';
/** The newest registers stay, and one of each day, in case that later ones are damaged. */
const kept = 12;
const perQuery = 1_000;

const fields = { deactivated: 1, deleted: 1, erase_at: 1, own_erase_at: 1, version: 1 } as const;

const membersOf = (databases: Databases) => databases.collection<StoredMember>('profile', 'members');

const dueEntry = (member: StoredMember, erase_at: Date): Entry => {
  const { _id: id, deactivated, deleted, own_erase_at, version } = member;
  return { kind: 'due', id, deactivated, deleted, erase_at, ...(own_erase_at && { own_erase_at }), version };
};

/** The newest register that can be read, unless it is older than `since`. */
export async function readDeletions(store: BackupStore, since = new Date(0)): Promise<Register | undefined> {
  for (const name of (await store.files(folder)).toSorted().toReversed()) {
    const register = await store.readJson(`${folder}/${name}`, registerSchema);
    if (register) return register.at >= since ? register : undefined;
  }
  return undefined;
}

/** Whether the erasure of a member has begun: the due date goes first, the document last. */
const isClosing = ({ deleted, erase_at }: StoredMember) => deleted && !erase_at;

/** The state of a member whose erasure was canceled. */
function outcome(before: Entry, member: StoredMember | undefined, at: Date): Entry {
  if (before.kind !== 'due') return before;
  const { id } = before;
  if (member && isClosing(member)) return { kind: 'erased', id, at };
  if (member) return { kind: 'kept', id, deactivated: member.deactivated, at, version: member.version };
  // Nobody is erased earlier: the document is missing because the database is damaged.
  return before.erase_at > at ? before : { kind: 'erased', id, at };
}

/** Whether a document is from before what the register says of its member. */
const isOlder = (before: Entry, member: StoredMember): boolean =>
  before.kind === 'erased' ? !isClosing(member) : (member.version ?? 0) < (before.version ?? 0);

async function membersById(databases: Databases, ids: readonly number[]): Promise<Map<number, StoredMember>> {
  const found = new Map<number, StoredMember>();
  for (const some of chunks(ids, perQuery))
    for await (const member of membersOf(databases).find({ _id: { $in: some } }, { projection: fields }))
      found.set(member._id, member);
  return found;
}

const olderError = (why: string) =>
  new CommandError(
    `${why} since deletions were last recorded: restore first, or pass --accept-loss. Nothing was recorded.`,
  );

interface Period {
  readonly at: Date;
  readonly days: number;
  /** Whether the database may be older than the register. */
  readonly mayBeOlder: boolean;
}

async function membersNow(
  databases: Databases,
  before: readonly Entry[],
  { at, days, mayBeOlder }: Period,
): Promise<Entry[]> {
  const due = await membersOf(databases)
    .find({ erase_at: { $exists: true } }, { projection: fields })
    .toArray();
  const notes = await databases
    .collection<{ _id: number }>('profile', 'erasures')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  const since = at.getTime() - days * dayMs;
  const known = before.filter((entry) => entry.kind === 'due' || entry.at.getTime() > since);
  const begun = notes.map(({ _id }) => _id);
  const found = await membersById(databases, [...new Set([...known.map(({ id }) => id), ...begun])]);
  const older = known.find((entry) => {
    const member = found.get(entry.id);
    return member && isOlder(entry, member);
  });
  if (older && !mayBeOlder) throw olderError(`Member ${older.id} is as before`);
  const entries = new Map(known.map((entry) => [entry.id, outcome(entry, found.get(entry.id), at)]));
  for (const id of begun) {
    const member = found.get(id);
    if (!member || isClosing(member)) entries.set(id, { kind: 'erased', id, at });
  }
  for (const member of due) if (member.erase_at) entries.set(member._id, dueEntry(member, member.erase_at));
  return [...entries.values()];
}

async function suspendedSince(databases: Databases, since: Date): Promise<number[]> {
  const changed = { deactivation_changed_at: { $gte: since }, suspended: true };
  return (
    await membersOf(databases)
      .find(changed, { projection: { _id: 1 } })
      .toArray()
  ).map(({ _id }) => _id);
}

/** The disabled ones, and those of `before` that are missing: their collection is damaged. */
async function disabledIn(
  databases: Databases,
  name: 'accounts' | 'clients',
  filter: object,
  before: readonly string[] = [],
): Promise<string[]> {
  const named = databases.collection<Named>('auth', name);
  const idsOf = async (query: object) =>
    (await named.find(query, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  const present = new Set(await idsOf({ _id: { $in: [...before] } }));
  const missing = before.filter((id) => !present.has(id));
  return [...(await idsOf({ ...filter, disabled: true })), ...missing];
}

async function numbersIn(databases: Databases): Promise<Record<string, number>> {
  const counters = databases.collection<{ _id: string; last: number }>('profile', 'counters');
  return Object.fromEntries((await counters.find().toArray()).map(({ _id, last }) => [_id, last]));
}

const dayOf = (name: string | undefined) => name?.slice(0, 8);

/** Writes the register, and deletes old ones but for one of each day. */
async function writeRegister(store: BackupStore, register: Register, days: number): Promise<void> {
  await store.writeJson(`${folder}/${idAt(register.at)}.json`, register);
  const older = (await store.files(folder)).toSorted().toReversed().slice(kept);
  const over = idAt(new Date(register.at.getTime() - days * dayMs));
  const isOld = (name: string, index: number) => name < over || dayOf(name) === dayOf(older[index - 1]);
  for (const name of older.filter(isOld)) await store.remove(`${folder}/${name}`);
}

/**
 * Writes the register of a system as it is now; those of erased members stay in it for as long as backups. Throws where the
 * database is damaged or older than the last register: what was known must not be forgotten.
 */
export async function recordDeletions(
  databases: Databases,
  store: BackupStore,
  { days, acceptLoss }: { readonly days: number; readonly acceptLoss: boolean },
): Promise<Register> {
  await assertWhole(databases);
  const at = new Date();
  const before = await readDeletions(store);
  const restored = await databases.progress.findOne({ _id: 'restore' });
  const mayBeOlder = acceptLoss || !before || (restored?.finished_at ?? 0) > before.at;
  const numbers = await numbersIn(databases);
  const documents = {
    accounts: await databases.count('auth', 'accounts'),
    members: await databases.count('profile', 'members'),
  };
  if (!mayBeOlder) {
    for (const name of ['accounts', 'members'] as const)
      if (isLost(before.documents[name], documents[name]))
        throw olderError(`The ${name} fell from ${before.documents[name]} to ${documents[name]}`);
    for (const [kind, last] of Object.entries(before.numbers))
      if ((numbers[kind] ?? 0) < last) throw olderError(`The last number of a ${kind} fell`);
  }
  for (const [kind, last] of Object.entries(before?.numbers ?? {}))
    numbers[kind] = Math.max(last, numbers[kind] ?? 0);
  const register = {
    at,
    members: await membersNow(databases, before?.members ?? [], { at, days, mayBeOlder }),
    suspended: await suspendedSince(databases, new Date(at.getTime() - days * dayMs)),
    // Staff have no member number, by which accounts are found.
    accounts: await disabledIn(databases, 'accounts', { id: 0 }, before?.accounts),
    clients: await disabledIn(databases, 'clients', {}, before?.clients),
    numbers,
    documents,
  };
  await writeRegister(store, register, days);
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
 * The writes of an entry. A member who was not deleted at the point is not erased at once, whatever the
 * register says: otherwise, write access to the register would be enough to erase all members.
 */
function writesOf(entry: Entry, now: Date) {
  const known = { _id: entry.id, erase_at: { $exists: true } };
  const atPoint = { updateOne: { filter: known, update: changeOf(entry, now) } };
  if (entry.kind === 'kept') return [atPoint];
  const { deactivated, deleted } = entry.kind === 'due' ? entry : { deactivated: true, deleted: false };
  const begun = { $set: { deactivated, deleted, erase_at: new Date(now.getTime() + 30 * dayMs) } };
  // One whose erasure was under way at the point is erased without a due date.
  const asked = { _id: entry.id, erase_at: { $exists: false }, deleted: { $ne: true } };
  return [atPoint, { updateOne: { filter: asked, update: begun } }];
}

/**
 * Gives members the time again in which they can take a deletion back, where the register does not know what became of it:
 * they may have done so since the backup.
 */
async function prolong(databases: Databases, known: readonly number[], now: Date): Promise<void> {
  const later = new Date(now.getTime() + 30 * dayMs);
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
