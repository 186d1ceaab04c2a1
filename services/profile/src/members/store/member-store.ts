import type { Event, EventType } from '@covalence/contract/events';
import { createLease } from '@covalence/events/lease';
import { newEvent, nextVersion, type EventFacts } from '@covalence/events/new-event';
import { createOutbox, pushEvents, type Outbox, type WithOutbox } from '@covalence/events/outbox';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { Connection } from 'mongoose';
import { waitingOf } from '../document/waiting.ts';
import { publicPhotosOf } from '../document/photos.ts';
import { isPresenceShown } from '../document/presence.ts';
import { isFreeTextAnswer } from '../document/answers.ts';
import { declareMembers } from './member-model-store.ts';
import type { Member } from '../document/member.ts';

/** Derived fields; only the store writes them. */
type Derived = 'waiting' | 'public_photos';

/** The top-level fields that a change replaces; an undefined field is removed. */
export type MemberPatch = Partial<
  Omit<Member, '_id' | 'member_id' | 'version' | Derived | 'outbox' | 'outboxAt'>
>;

/** An event that a change causes beside those that follow from the member's fields. */
export type ExtraEvent = Pick<EventFacts, 'type' | 'data'>;

/** The fields that decide whether a member may sign in. */
export type SignInState = Pick<Member, '_id' | 'deactivated' | 'suspended' | 'deleted'>;

/** A range of ids, without its ends, and its order. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
  readonly descending: boolean;
}

/** Reads and writes members; nothing else does. Never returns tombstones of `settle`, which have negative ids. */
export interface MemberStore {
  byId(id: number): Promise<Member | undefined>;
  byUuid(memberId: string): Promise<Member | undefined>;
  /** The fields of a member that decide whether they may sign in. */
  signInState(memberId: string): Promise<SignInState | undefined>;
  /** The members that exist, in the order of `ids`. `only` limits the fields of the catalogue that are read. */
  byIds(ids: readonly number[], only?: readonly string[]): Promise<Member[]>;
  /** Up to `limit` members of a range, in its order. */
  between(range: IdRange, limit: number): Promise<Member[]>;
  /** Numeric ids by UUID of those that exist. */
  idsOf(memberIds: readonly string[]): Promise<Map<string, number>>;
  /** The owner of a photo, whatever its status. */
  byPhoto(photoId: number): Promise<Member | undefined>;
  /** The owner of a photo by its public name, with the fields that decide whether the photo is public. */
  byPublicPhoto(name: string): Promise<Member | undefined>;
  /** Ids of the members with a device that takes push messages, by the device's id. */
  holdersOfPush(deviceId: string): Promise<number[]>;
  /** Members with photos whose files are still to be removed. */
  withDeletedPhotos(limit: number): Promise<Member[]>;
  /** Members whose deactivation changed at or after a time. */
  deactivationsSince(since: Date): Promise<Member[]>;
  /** Writes a new member with its event. Resolves with false where its UUID was settled meanwhile. */
  insert(member: Member): Promise<boolean>;
  /**
   * Writes many new members with their events in one call. Resolves with false where at least one UUID exists already
   * or was settled.
   */
  insertMany(members: readonly Member[]): Promise<boolean>;
  /** Deletes tombstones that `settle` wrote before a time. */
  dropTombstones(memberIds: readonly string[], before: Date): Promise<void>;
  /** Whether the member exists. If not, writes a tombstone that makes a late insert fail. */
  settle(memberId: string, takeId: () => Promise<number>): Promise<boolean>;
  /**
   * Changes one member by compare-and-set: `change` receives the stored member and returns a patch, or undefined for
   * no write. Retries on a conflict. Resolves with the member afterwards, or undefined where there is none. Rethrows
   * what `change` throws. `extraEvents` returns further events of the write.
   */
  change(
    id: number,
    change: (member: Member) => MemberPatch | undefined,
    extraEvents?: () => readonly ExtraEvent[],
  ): Promise<Member | undefined>;
  /** Members whose erasure is due, the earliest first. */
  dueForErasure(now: Date, limit: number): Promise<Member[]>;
  /** Deletes a member for good. False while events wait in the outbox; true where no such member is left. */
  erase(id: number): Promise<boolean>;
  /** Removes decisions that the history has now from the member, without a new version or event. */
  forgetLogged(id: number, decisions: readonly string[]): Promise<void>;
  readonly outbox: Outbox;
}

/** What the store needs beside its connection. */
export interface StoreOptions {
  readonly connection: Connection;
  readonly publisher: Publisher;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Events of states that a member enters. */
const stateEvents: readonly (readonly [type: EventType, is: (member: Member) => boolean])[] = [
  ['member.deactivated', ({ deactivated }) => deactivated],
  ['member.reactivated', ({ deactivated }) => !deactivated],
  ['member.suspended', ({ suspended }) => suspended],
  ['member.deleted', ({ deleted }) => deleted],
  ['presence.changed', isPresenceShown],
  ['presence.changed', (member) => !isPresenceShown(member)],
];

/** Photos that are new, or whose status or rank changed. */
const photoFacts = (before: Member | undefined, after: Member) => {
  if (!before || before.photos === after.photos) return [];
  const known = new Map(before.photos.map((photo) => [photo.id, photo]));
  return after.photos
    .filter(({ id, status, primary }) => {
      const old = known.get(id);
      return old?.status !== status || old.primary !== primary;
    })
    .map(({ id: photo, status, primary }) => ({ photo, status, primary }));
};

const eventsOf = (
  before: Member | undefined,
  after: Member,
  at: Date,
  extraEvents: readonly ExtraEvent[] = [],
): Event[] => {
  const facts = { member: after._id, version: after.version, at };
  const entered = before
    ? stateEvents.filter(([, is]) => is(after) && !is(before)).map(([type]) => ({ type }))
    : [];
  const photos = photoFacts(before, after).map((data) => ({ type: 'photo.changed' as const, data }));
  return [{ type: 'member.updated' as const }, ...entered, ...photos, ...extraEvents].map((each) =>
    newEvent({ ...facts, ...each }),
  );
};

const isTombstone = (id: number) => id < 0;

/** A member with its derived fields. */
const derived = (member: Member, now: Date): Member => {
  const { waiting: _waits, public_photos: _named, ...others } = member;
  const waiting = waitingOf(member, now);
  const public_photos = publicPhotosOf(member);
  return { ...others, ...(waiting && { waiting }), ...(public_photos && { public_photos }) };
};

/** A patch as update operators. */
const operators = (patch: MemberPatch & Partial<Pick<Member, Derived>>) => {
  const entries = Object.entries(patch);
  const removed = entries.filter(([, value]) => value === undefined).map(([name]) => [name, 1] as const);
  const replaced = entries.filter(([, value]) => value !== undefined);
  return {
    $set: Object.fromEntries(replaced),
    ...(removed.length && { $unset: Object.fromEntries(removed) }),
  };
};

const withEvents = (member: Member, now: Date): { document: Member; events: Event[] } => {
  const events = eventsOf(undefined, member, now);
  return { document: { ...derived(member, now), outbox: events, outboxAt: new Date() }, events };
};

/** Creates the store and its outbox. */
export function createMemberStore({
  connection,
  publisher,
  logger,
  metrics,
  clock,
}: StoreOptions): MemberStore {
  const model = declareMembers(connection);
  const outbox = createOutbox({
    // The same model, typed by its outbox.
    model: connection.model<WithOutbox>('Member'),
    publisher,
    lease: createLease(connection, 'members-outbox'),
    logger,
    metrics,
  });
  const hidden = { outbox: 0, outboxAt: 0 } as const;
  const byField = ['fields', 'approved_answers'];
  const parts = Object.keys(model.schema.paths).filter(
    (name) => !(name in hidden) && !byField.includes(name),
  );

  /** A projection of everything but the outbox, with only the named fields of the catalogue. */
  const withFields = (names: readonly string[]) => {
    const texts = names.filter(isFreeTextAnswer).map((name) => `approved_answers.${name}`);
    const paths = [...parts, ...names.map((name) => `fields.${name}`), ...texts];
    return Object.fromEntries(paths.map((path) => [path, 1]));
  };

  const byId = async (id: number) => {
    if (isTombstone(id)) return undefined;
    return (await model.findById(id, hidden).lean<Member>()) ?? undefined;
  };
  const byUuid = async (memberId: string) => {
    const found = await model.findOne({ member_id: memberId }, hidden).lean<Member>();
    return found && !isTombstone(found._id) ? found : undefined;
  };

  // Called with every sign-in, so it reads few fields and bypasses the model.
  const standing = { projection: { deactivated: 1, suspended: 1, deleted: 1 } } as const;
  // Called with every fetch of a photo.
  const ofPublicPhoto = {
    ...standing.projection,
    userstatus: 1,
    'fields.searchable': 1,
    public_photos: 1,
    'photos.id': 1,
    'photos.stem': 1,
    'photos.status': 1,
    'photos.private': 1,
  } as const;
  const signInState = async (memberId: string) => {
    const found = await model.collection.findOne<SignInState>({ member_id: memberId }, standing);
    return found && !isTombstone(found._id) ? found : undefined;
  };

  /** Writes a patch if the stored member still has the version of `before`. */
  const replace = async (before: Member, patch: MemberPatch, extraEvents?: readonly ExtraEvent[]) => {
    const now = clock();
    const changed: Member = { ...before, ...patch, version: nextVersion(before.version, now) };
    const after = derived(changed, now);
    const { waiting, public_photos } = after;
    const events = eventsOf(before, after, now, extraEvents);
    const push = pushEvents(events, now);
    const { $set, ...rest } = operators({ ...patch, waiting, public_photos });
    const { matchedCount } = await model.updateOne(
      { _id: before._id, version: before.version },
      { ...rest, $set: { ...$set, ...push.$set, version: after.version }, $push: push.$push },
    );
    if (!matchedCount) return undefined;
    outbox.publishSoon(before._id, events);
    return after;
  };

  return {
    outbox,
    byId,
    byUuid,
    signInState,
    async byIds(ids, only) {
      const found = await model
        .find({ _id: { $in: [...ids] } }, only ? withFields(only) : hidden)
        .batchSize(ids.length + 1)
        .lean<Member[]>();
      const byId = new Map(found.map((member) => [member._id, member]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    between: ({ after, before, descending }, limit) =>
      model
        .find({ _id: { $gt: Math.max(after, 0), $lt: before } }, hidden)
        .sort({ _id: descending ? -1 : 1 })
        .limit(limit)
        // All of them with the first answer.
        .batchSize(limit + 1)
        .lean<Member[]>(),
    async idsOf(memberIds) {
      const found = await model
        .find({ member_id: { $in: [...memberIds] } }, { member_id: 1 })
        .lean<Pick<Member, '_id' | 'member_id'>[]>();
      return new Map(found.filter(({ _id }) => !isTombstone(_id)).map((each) => [each.member_id, each._id]));
    },
    async byPhoto(photoId) {
      const found = await model.findOne({ 'photos.id': photoId }, hidden).lean<Member>();
      return found ?? undefined;
    },
    async byPublicPhoto(name) {
      const found = await model.collection.findOne(
        { 'public_photos.name': name },
        { projection: ofPublicPhoto },
      );
      return (found as Member | null) ?? undefined;
    },
    async holdersOfPush(deviceId) {
      const found = await model
        .find({ 'push_subscriptions.id': deviceId }, { _id: 1 })
        .lean<{ _id: number }[]>();
      return found.map(({ _id }) => _id);
    },
    withDeletedPhotos: (limit) =>
      model.find({ 'photos.status': 'deleted' }, hidden).limit(limit).lean<Member[]>(),
    deactivationsSince: (since) =>
      model.find({ deactivation_changed_at: { $gte: since } }, hidden).lean<Member[]>(),
    async insert(member) {
      const { document, events } = withEvents(member, clock());
      if (!(await unlessDuplicate(model.create(document)))) return false;
      outbox.publishSoon(member._id, events);
      return true;
    },
    async insertMany(members) {
      const now = clock();
      const written = members.map((member) => withEvents(member, now));
      const documents = written.map(({ document }) => document);
      // The outbox relay publishes the events of those that were written.
      if (!(await unlessDuplicate(model.insertMany(documents, { lean: true, ordered: false })))) return false;
      outbox.publishManySoon(written.map(({ document, events }) => ({ documentId: document._id, events })));
      return true;
    },
    async dropTombstones(memberIds, before) {
      const old = { member_id: { $in: [...memberIds] }, _id: { $lt: 0 }, settled_at: { $lt: before } };
      await model.collection.deleteMany(old as never);
    },
    async settle(memberId, takeId) {
      if (await byUuid(memberId)) return true;
      const tombstone = { _id: -(await takeId()), member_id: memberId, settled_at: clock() };
      if (await unlessDuplicate(model.collection.insertOne(tombstone as never))) return false;
      return (await byUuid(memberId)) !== undefined;
    },
    dueForErasure: (now, limit) =>
      model
        .find({ erase_at: { $lte: now } }, hidden)
        .sort({ erase_at: 1 })
        .limit(limit)
        .lean<Member[]>(),
    async erase(id) {
      await model.deleteOne({ _id: id, outboxAt: { $exists: false } });
      return (await model.findById(id, { _id: 1 }).lean()) === null;
    },
    async forgetLogged(id, decisions) {
      await model.updateOne({ _id: id }, { $pull: { unlogged: { id: { $in: [...decisions] } } } });
    },
    async change(id, change, extraEvents) {
      return retryOnConflict(`member ${id}`, async () => {
        const before = await byId(id);
        const patch = before && change(before);
        if (!before || !patch) return before;
        return (await replace(before, patch, extraEvents?.())) ?? conflict;
      });
    },
  };
}
