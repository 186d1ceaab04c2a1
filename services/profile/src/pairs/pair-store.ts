import type { Event } from '@covalence/contract/events';
import { createLease } from '@covalence/events/lease';
import { newEvent, nextVersion } from '@covalence/events/new-event';
import { createOutbox, pushEvents, type Outbox, type WithOutbox } from '@covalence/events/outbox';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { StoreOptions } from '../members/store/member-store.ts';
import { act, notificationsOf, type PairAction, type PairNotification } from './pair-machine.ts';
import { createPairChanges, type PairChanges } from './pair-changes-store.ts';
import { createPairLists, type PairLists } from './pair-list-store.ts';
import {
  contentOf,
  declarePairs,
  derivedNames,
  otherOf,
  recounted,
  shown,
  sidesFor,
  type PairContent,
  type StoredPair,
} from './pair-model-store.ts';
import { pairKey, strangers, type Sides } from './pair.ts';

/** How many pairs an activity counter has: in total and since a time. */
export interface Tally {
  readonly total: number;
  readonly since: number;
}

/** What acting on a pair did. */
export interface PairOutcome {
  readonly changed: boolean;
  readonly sides: Sides;
}

/** Reads and writes pairs; nothing else does. */
export interface PairStore extends PairLists, PairChanges {
  /** The pair as `mine` sees it. */
  read(mine: number, other: number): Promise<Sides>;
  /** The pairs of `mine` with each of `others` by the other's id. Members without a pair are absent. */
  readMany(mine: number, others: readonly number[]): Promise<Map<number, Sides>>;
  /**
   * `mine` acts on `other`: one atomic write with its events, retried on a conflict. `check` receives the pair before
   * each attempt and may throw.
   */
  act(mine: number, other: number, action: PairAction, check?: (sides: Sides) => void): Promise<PairOutcome>;
  /** Several actions in one atomic write. */
  actAll(
    mine: number,
    other: number,
    actions: readonly PairAction[],
    check?: (sides: Sides) => void,
  ): Promise<PairOutcome>;
  /** Connections of a member. */
  countConnections(member: number, since: Date): Promise<Tally>;
  /** Received likes that await the member's answer. */
  countReceivedLikes(member: number, since: Date): Promise<Tally>;
  /** Every pair of `mine`, by the other's id; for archives. */
  all(mine: number): Promise<Map<number, Sides>>;
  /** Members with whom a member has a pair: those of the first pairs found, up to `limit` on each side. */
  othersOf(member: number, limit: number): Promise<number[]>;
  /** Deletes the pairs of a member with others; sends no event. */
  eraseBetween(member: number, others: readonly number[]): Promise<void>;
  readonly outbox: Outbox;
}

/** A pair after some actions, and the notifications they cause, each once. */
const applyActions = (before: Sides, actions: readonly PairAction[], now: Date) => {
  const notifications = new Map<string, PairNotification>();
  let sides = before;
  for (const action of actions) {
    const after = act(sides, action, now);
    if (after !== sides)
      for (const each of notificationsOf(action, after)) notifications.set(`${each.type} ${each.by}`, each);
    sides = after;
  }
  return { sides, notifications: [...notifications.values()] };
};

const eventsOf = (
  mine: number,
  other: number,
  notifications: readonly PairNotification[],
  version: number,
  at: Date,
) =>
  notifications.map(({ type, by }) => {
    const [member, recipient] = by === 'mine' ? [mine, other] : [other, mine];
    return newEvent({ type, member, version, at, data: { other: recipient } });
  });

/** What the store needs. It calls `onRecount` with the members whose counters a write changed. */
export interface PairStoreOptions extends StoreOptions {
  readonly onRecount: (members: readonly number[]) => void;
}

/** Creates the store and its outbox. */
export function createPairStore(options: PairStoreOptions): PairStore {
  const { connection, publisher, logger, metrics, clock, onRecount } = options;
  const model = declarePairs(connection);
  const outbox = createOutbox({
    model: connection.model<WithOutbox>('Pair'),
    publisher,
    lease: createLease(connection, 'pairs-outbox'),
    logger,
    metrics,
  });

  const find = (mine: number, other: number) =>
    model.findById(pairKey(mine, other), shown).lean<StoredPair>();

  const write = async (
    key: string,
    previous: StoredPair | null,
    content: PairContent,
    version: number,
    events: readonly Event[],
    now: Date,
  ): Promise<boolean> => {
    const outboxParts = events.length ? pushEvents(events, now) : undefined;
    if (previous) {
      const gone = derivedNames.filter((name) => !(name in content)).map((name) => [name, 1] as const);
      const { matchedCount } = await model.updateOne(
        { _id: key, version: previous.version },
        {
          $set: { ...content, version, ...outboxParts?.$set },
          $unset: Object.fromEntries(gone),
          ...(outboxParts && { $push: outboxParts.$push }),
        },
      );
      return matchedCount > 0;
    }
    const waiting = events.length ? { outbox: [...events], outboxAt: now } : {};
    return unlessDuplicate(model.create({ _id: key, ...content, version, ...waiting }));
  };

  const tally = async (filters: readonly object[], field: string, since: Date): Promise<Tally> => {
    const count = async (extra: object) => {
      const counts = await Promise.all(
        filters.map((filter) => model.countDocuments({ ...filter, ...extra })),
      );
      return counts.reduce((sum, one) => sum + one, 0);
    };
    const [total, recent] = await Promise.all([
      count({ [field]: { $gt: new Date(0) } }),
      count({ [field]: { $gt: since } }),
    ]);
    return { total, since: recent };
  };

  const actAll = async (
    mine: number,
    other: number,
    actions: readonly PairAction[],
    check?: (sides: Sides) => void,
  ): Promise<PairOutcome> => {
    return retryOnConflict('a pair', async () => {
      const previous = await find(mine, other);
      const before = previous ? sidesFor(mine, previous) : strangers;
      check?.(before);
      const now = clock();
      const { sides, notifications } = applyActions(before, actions, now);
      if (sides === before) return { changed: false, sides };
      const version = nextVersion(previous?.version, now);
      const events = eventsOf(mine, other, notifications, version, now);
      const key = pairKey(mine, other);
      const content = contentOf(mine, other, sides);
      if (!(await write(key, previous, content, version, events, now))) return conflict;
      outbox.publishSoon(key, events);
      onRecount(recounted(contentOf(mine, other, before), content));
      return { changed: true, sides };
    });
  };

  return {
    outbox,
    ...createPairLists(model),
    ...createPairChanges(model),
    async read(mine, other) {
      const pair = await find(mine, other);
      return pair ? sidesFor(mine, pair) : strangers;
    },
    async readMany(mine, others) {
      const keys = others.map((other) => pairKey(mine, other));
      const pairs = await model.find({ _id: { $in: keys } }, shown).lean<StoredPair[]>();
      return new Map(pairs.map((pair) => [otherOf(mine, pair), sidesFor(mine, pair)]));
    },
    act: (mine, other, action, check) => actAll(mine, other, [action], check),
    actAll,
    async all(mine) {
      const pairs = await Promise.all(
        [{ low: mine }, { high: mine }].map((filter) => model.find(filter, shown).lean<StoredPair[]>()),
      );
      return new Map(pairs.flat().map((pair) => [otherOf(mine, pair), sidesFor(mine, pair)]));
    },
    async othersOf(member, limit) {
      const [asLow, asHigh] = await Promise.all(
        [{ low: member }, { high: member }].map((filter) =>
          model.find(filter, shown).limit(limit).lean<StoredPair[]>(),
        ),
      );
      return [...(asLow ?? []), ...(asHigh ?? [])].map((pair) => otherOf(member, pair));
    },
    async eraseBetween(member, others) {
      await model.deleteMany({ _id: { $in: others.map((other) => pairKey(member, other)) } });
    },
    countConnections: (member, since) => tally([{ low: member }, { high: member }], 'connected_at', since),
    countReceivedLikes: (member, since) => tally([{ awaits: member }], 'awaits_at', since),
  };
}
