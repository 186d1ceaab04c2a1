import type { Event, EventType } from '@covalence/contract/events';
import { hangingMembers } from '@covalence/contract/peers/operations-api';
import { newEvent, nextVersion, type EventFacts } from '@covalence/events/new-event';
import { pushEvents } from '@covalence/events/outbox';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { documentsOf } from '@covalence/runtime/documents';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { setOrRemove } from '@covalence/runtime/schema';
import { waitingOf } from '../document/account-status.ts';
import { publicPhotosOf } from '../document/photos.ts';
import { isPresenceShown } from '../document/presence.ts';
import { isFreeTextAnswer, isVisible } from '../document/member-values.ts';
import { behindCursor, type TimeCursor } from './time-cursor.ts';
import { declareMembers } from './member-model-store.ts';
import { outboxOf, type StoreOptions } from './outbox-of.ts';
import type { Member, Photo } from '../document/member.ts';

/** The top-level fields that a change replaces; an undefined field is removed. Of `waiting` only the times count. */
export type MemberPatch = Partial<
  Omit<Member, '_id' | 'member_id' | 'version' | 'public_photos' | 'was_hidden' | 'outbox' | 'outboxAt'>
>;

/** An event that a change causes beside those that follow from the member's fields. */
export type ExtraEvent = Pick<EventFacts, 'type' | 'data'>;

type SignInState = Pick<Member, '_id' | 'deactivated' | 'suspended' | 'deleted'>;

/** A part of a member's document. */
export type MemberPart = keyof Member | `photos.${keyof Photo}`;

/** The parts of a member to read: keys of the document except `fields`, and fields of the catalogue. */
export interface MemberSelection {
  readonly parts: readonly MemberPart[];
  readonly fields: readonly string[];
}

/** A range of ids, without its ends, and its order. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
  readonly descending: boolean;
}

/** Reads and writes members; nothing else does. Never returns tombstones of `settle`. */
export type MemberStore = ReturnType<typeof createMemberStore>;

const stateEvents: readonly (readonly [type: EventType, is: (member: Member) => boolean])[] = [
  ['member.deactivated', ({ deactivated }) => deactivated],
  ['member.reactivated', ({ deactivated }) => !deactivated],
  ['member.suspended', ({ suspended }) => suspended],
  ['member.deleted', ({ deleted }) => deleted],
  ['presence.changed', isPresenceShown],
  ['presence.changed', (member) => !isPresenceShown(member)],
];

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

/** Leaves out tombstones of `settle`. */
const living: object = { settled_at: null };

const derived = (member: Member, now: Date, before?: Member): Member => {
  const { waiting: _waits, public_photos: _named, banned_devices, ...others } = member;
  const waiting = waitingOf(member, now);
  const public_photos = publicPhotosOf(member);
  const isHidden = before !== undefined && isVisible(before) && !isVisible(member);
  return {
    ...others,
    ...(waiting && { waiting }),
    ...(public_photos && { public_photos }),
    ...(isHidden && { was_hidden: true }),
    ...((member.suspended || member.deleted) && banned_devices && { banned_devices }),
  };
};

const withEvents = (member: Member, now: Date): { document: Member; events: Event[] } => {
  const events = eventsOf(undefined, member, now);
  return { document: { ...derived(member, now), outbox: events, outboxAt: new Date() }, events };
};

const projectionOf = ({ parts, fields }: MemberSelection) => {
  const texts = fields.filter(isFreeTextAnswer).map((name) => `approved_answers.${name}`);
  const paths = [...parts, ...fields.map((name) => `fields.${name}`), ...texts];
  return Object.fromEntries(paths.map((path) => [path, 1]));
};

/** Creates the store and its outbox. */
export function createMemberStore(options: StoreOptions) {
  const { clock } = options;
  const model = declareMembers(options.connection);
  const outbox = outboxOf(options, 'Member', 'members-outbox');
  const hidden = { outbox: 0, outboxAt: 0 } as const;
  const documents = documentsOf<Member>(model, hidden);

  const byId = (id: number): Promise<Member | undefined> => documents.one({ _id: id, ...living });

  const byUuid = (memberId: string): Promise<Member | undefined> =>
    documents.one({ member_id: memberId, ...living });

  // Called with every sign-in, so it reads few fields and bypasses the model.
  const ofSignIn = { projection: { deactivated: 1, suspended: 1, deleted: 1 } } as const;
  // Called with every fetch of a photo.
  const ofPublicPhoto = {
    ...ofSignIn.projection,
    userstatus: 1,
    'fields.searchable': 1,
    public_photos: 1,
    'photos.id': 1,
    'photos.stem': 1,
    'photos.status': 1,
    'photos.private': 1,
  } as const;
  // Called with every counter, of the member and all the members behind it.
  const ofEligibility = {
    ...ofSignIn.projection,
    member_id: 1,
    tokens_ended_at: 1,
    erase_at: 1,
    siteid: 1,
    userstatus: 1,
    suspected: 1,
    'fields.gender': 1,
    'fields.gender_preference': 1,
    'fields.searchable': 1,
    'fields.world_plus': 1,
  } as const;
  /** By both ids, because the numeric one names the shard. */
  const signInState = async (memberId: string, id: number) => {
    const named: object = { member_id: memberId, _id: id, ...living };
    return (await model.collection.findOne<SignInState>(named, ofSignIn)) ?? undefined;
  };

  const replace = async (before: Member, patch: MemberPatch, extraEvents?: readonly ExtraEvent[]) => {
    const now = clock();
    const changed: Member = { ...before, ...patch, version: nextVersion(before.version, now) };
    const after = derived(changed, now, before);
    const { waiting, public_photos, was_hidden, banned_devices } = after;
    const events = eventsOf(before, after, now, extraEvents);
    const push = pushEvents(events, now);
    const { $set, ...rest } = setOrRemove({ ...patch, waiting, public_photos, was_hidden, banned_devices });
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
    /** The members that exist, in the order of `ids`; with a selection, only that of them. */
    async byIds(ids: readonly number[], selection?: MemberSelection): Promise<Member[]> {
      const found = await model
        .find({ _id: { $in: [...ids] }, ...living }, selection ? projectionOf(selection) : hidden)
        .batchSize(ids.length + 1)
        .lean<Member[]>();
      const byId = new Map(found.map((member) => [member._id, member]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    /** The members that exist, each with only what decides who may call, and open the profile. */
    eligibilityOf: (ids: readonly number[]): Promise<Member[]> =>
      model
        .find({ _id: { $in: [...ids] }, ...living }, ofEligibility)
        .batchSize(ids.length + 1)
        .lean<Member[]>(),
    /** The first members of a range, in its order. */
    between: ({ after, before, descending }: IdRange, limit: number): Promise<Member[]> =>
      model
        .find({ _id: { $gt: after, $lt: before }, ...living }, hidden)
        .sort({ _id: descending ? -1 : 1 })
        .limit(limit)
        // All of them with the first answer.
        .batchSize(limit + 1)
        .lean<Member[]>(),
    /** The numeric ids of members by their UUIDs; those that do not exist are absent. */
    async idsOf(memberIds: readonly string[]): Promise<Map<string, number>> {
      const named = { member_id: { $in: [...memberIds] }, ...living };
      const found = await documents.many(named, { shown: { member_id: 1 } });
      return new Map(found.map((each) => [each.member_id, each._id]));
    },
    /** The owner of a photo, in whatever state the member is. */
    byPhoto: (photoId: number): Promise<Member | undefined> => documents.one({ 'photos.id': photoId }),
    /** The owner of a photo by its public name, with the fields that decide whether the photo is public. */
    async byPublicPhoto(name: string): Promise<Member | undefined> {
      const named = { 'public_photos.name': name };
      return (await model.collection.findOne<Member>(named, { projection: ofPublicPhoto })) ?? undefined;
    },
    /** The members who have a device for push messages. */
    holdersOfPush: (deviceId: string): Promise<number[]> =>
      documents.ids({ 'push_subscriptions.id': deviceId }),
    withDeletedPhotos: (limit: number): Promise<Member[]> =>
      documents.many({ 'photos.status': 'deleted' }, { limit }),
    /** Members who were deactivated or reactivated since a time. */
    deactivationsSince: (since: Date): Promise<Member[]> =>
      documents.many({ deactivation_changed_at: { $gte: since } }),
    /** Writes a new member with its event. Resolves with false where its id is there already or was settled meanwhile. */
    async insert(member: Member): Promise<boolean> {
      const { document, events } = withEvents(member, clock());
      if (!(await unlessDuplicate(model.create(document)))) return false;
      outbox.publishSoon(member._id, events);
      return true;
    },
    /** Writes many new members in one call. Resolves with false where at least one id exists already or was settled. */
    async insertMany(members: readonly Member[]): Promise<boolean> {
      const now = clock();
      const written = members.map((member) => withEvents(member, now));
      const documents = written.map(({ document }) => document);
      // The outbox relay publishes the events of those that were written.
      if (!(await unlessDuplicate(model.insertMany(documents, { lean: true, ordered: false })))) return false;
      outbox.publishManySoon(written.map(({ document, events }) => ({ documentId: document._id, events })));
      return true;
    },
    /** Deletes the tombstones of some ids that `settle` wrote before a time. */
    async dropTombstones(ids: readonly number[], before: Date) {
      const old = { _id: { $in: [...ids] }, settled_at: { $lt: before } };
      await model.collection.deleteMany(old as never);
    },
    /** Whether the member exists. If not, writes a tombstone with the id of its account, which makes a late insert fail. */
    async settle(memberId: string, id: number): Promise<boolean> {
      if (await byUuid(memberId)) return true;
      const tombstone = { _id: id, member_id: memberId, settled_at: clock() };
      if (await unlessDuplicate(model.collection.insertOne(tombstone as never))) return false;
      return (await byUuid(memberId)) !== undefined;
    },
    dueForErasure: (now: Date, limit: number): Promise<Member[]> =>
      documents.many({ erase_at: { $lte: now } }, { sort: { erase_at: 1 }, limit }),
    /** The number of members due for erasure by a time, counted to 1,000, the time of the first, and the first ones. */
    async erasuresDue(by: Date) {
      const filter = { erase_at: { $lte: by } };
      const [oldest, due] = await Promise.all([
        documents.many(filter, { sort: { erase_at: 1 }, limit: hangingMembers, shown: { erase_at: 1 } }),
        model.countDocuments(filter).limit(1_000),
      ]);
      return { due, oldest: oldest[0]?.erase_at, ids: oldest.map(({ _id }) => _id) };
    },
    /** Those of some members whose answer rate was not counted since a time. */
    answerRatesDue: (ids: readonly number[], since: Date): Promise<number[]> =>
      documents.ids({
        _id: { $in: [...ids] },
        $or: [{ answering: null }, { 'answering.at': { $lte: since } }],
      }),
    /** Members whose digest is due, the longest first; behind one that a page before had. */
    async digestsDue(
      now: Date,
      limit: number,
      after?: TimeCursor<number>,
    ): Promise<{ readonly id: number; readonly at: Date }[]> {
      const behind = after && behindCursor('digest_due.at', after, '$gt');
      const found = await documents.many(
        { 'digest_due.at': { $lte: now }, ...behind },
        { sort: { 'digest_due.at': 1, _id: 1 }, limit, shown: { 'digest_due.at': 1 } },
      );
      return found.flatMap(({ _id, digest_due }) => (digest_due ? [{ id: _id, at: digest_due.at }] : []));
    },
    /** Replaces the time of a digest, unless it is another one by now; without a new version or event. */
    moveDigest: (id: number, from: Date, next: Member['digest_due'] | undefined) =>
      documents.update(
        { _id: id, 'digest_due.at': from },
        next ? { $set: { digest_due: next } } : { $unset: { digest_due: 1 } },
      ),
    /** Deletes a member permanently. False while events wait in the outbox; true where no such member is left. */
    async erase(id: number): Promise<boolean> {
      await documents.remove({ _id: id, outboxAt: { $exists: false } });
      return (await model.exists({ _id: id })) === null;
    },
    /** Members with decisions from before a time that the history does not have yet. */
    unlogged: (before: Date, limit: number): Promise<Member[]> =>
      documents.many({ unlogged: { $elemMatch: { at: { $lt: before } } } }, { limit }),
    /** Removes decisions that the history has now from the member, without a new version or event. */
    forgetLogged: (id: number, decisions: readonly string[]) =>
      documents.update({ _id: id }, { $pull: { unlogged: { id: { $in: [...decisions] } } } }),
    /**
     * Changes one member by compare-and-set: `change` receives the stored member and returns a patch, or undefined for
     * no write. Retries on a conflict. Resolves with the member afterwards, or undefined where there is none. Rethrows
     * what `change` throws. `extraEvents` returns further events of the write.
     */
    async change(
      id: number,
      change: (member: Member) => MemberPatch | undefined | Promise<MemberPatch | undefined>,
      extraEvents?: () => readonly ExtraEvent[],
    ): Promise<Member | undefined> {
      return retryOnConflict(`member ${id}`, async () => {
        const before = await byId(id);
        const patch = before && (await change(before));
        if (!before || !patch) return before;
        return (await replace(before, patch, extraEvents?.())) ?? conflict;
      });
    },
  };
}
