import type { Event } from '@covalence/contract/events';
import { newEvent, nextVersion } from '@covalence/events/new-event';
import { pushEvents } from '@covalence/events/outbox';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { documentsOf } from '@covalence/runtime/documents';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { type StoreOptions, outboxOf } from '../members/store/outbox-of.ts';
import { act as stepped, notificationsOf, type PairAction, type PairNotification } from './pair-machine.ts';
import { createPairLists } from './pair-list-store.ts';
import {
  contentOf,
  declarePairs,
  optionalNames,
  otherOf,
  recounted,
  shown,
  sidesFor,
  type PairContent,
  type PairDocument,
  type StoredPair,
} from './pair-model-store.ts';
import { pairKey, strangers, type Sides } from './pair.ts';

/** A pair as it was read: what an action may begin with. Two who have none are strangers without a version. */
export interface ReadPair {
  readonly sides: Sides;
  readonly version: number | undefined;
}

/** The check before an action, and the pair to start with. */
export interface ActOptions {
  /** Receives the pair before each attempt and may throw. */
  readonly check?: ((sides: Sides) => void) | undefined;
  /** The pair as it was read just before; without it, the pair is read. */
  readonly known?: ReadPair | undefined;
}

/** The write of a pair over the version `previous`; undefined for a new pair. */
interface PairWrite {
  readonly key: string;
  readonly previous: number | undefined;
  readonly content: PairContent;
  readonly version: number;
  readonly events: readonly Event[];
  readonly now: Date;
}

/** A pair after some actions, and the notifications they cause, each once. */
const applyActions = (before: Sides, actions: readonly PairAction[], now: Date) => {
  const notifications = new Map<string, PairNotification>();
  let sides = before;
  for (const action of actions) {
    const after = stepped(sides, action, now);
    if (after !== sides)
      for (const each of notificationsOf(action, after)) notifications.set(`${each.type} ${each.by}`, each);
    sides = after;
  }
  return { sides, notifications: [...notifications.values()] };
};

const byOther = (mine: number, pairs: readonly StoredPair[]) =>
  new Map(pairs.map((pair) => [otherOf(mine, pair), sidesFor(mine, pair)]));

/** Creates the store and its outbox. It calls `onRecount` with the members whose counters a write changed. */
export function createPairStore(options: StoreOptions, onRecount: (members: readonly number[]) => void) {
  const { connection, clock } = options;
  const model = declarePairs(connection);
  const outbox = outboxOf(options, 'Pair', 'pairs-outbox');
  const documents = documentsOf<PairDocument>(model, shown);

  const read = async (mine: number, other: number): Promise<ReadPair> => {
    const pair = await documents.one({ _id: pairKey(mine, other) });
    return { sides: pair ? sidesFor(mine, pair) : strangers, version: pair?.version };
  };

  /** Pairs of a member, of each side up to `limit`. */
  const pairsOf = async (member: number, filter: object = {}, limit = 0): Promise<StoredPair[]> => {
    const sides = [{ low: member }, { high: member }];
    return (await Promise.all(sides.map((side) => documents.many({ ...side, ...filter }, { limit })))).flat();
  };

  /** False if another writer came first. */
  const write = async ({ key, previous, content, version, events, now }: PairWrite): Promise<boolean> => {
    const outboxParts = events.length ? pushEvents(events, now) : undefined;
    if (previous !== undefined) {
      const gone = optionalNames.filter((name) => !(name in content)).map((name) => [name, 1] as const);
      const { matchedCount } = await model.updateOne(
        { _id: key, version: previous },
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

  /**
   * `mine` acts on `other`, once or several times: one atomic write with its events, retried on a conflict. An action that changes
   * nothing writes nothing.
   */
  const act = (
    mine: number,
    other: number,
    actions: PairAction | readonly PairAction[],
    { check, known }: ActOptions = {},
  ): Promise<{ readonly changed: boolean; readonly sides: Sides }> => {
    let begin = known;
    return retryOnConflict('a pair', async () => {
      const { sides: before, version: previous } = begin ?? (await read(mine, other));
      begin = undefined;
      check?.(before);
      const now = clock();
      const { sides, notifications } = applyActions(before, [actions].flat(), now);
      if (sides === before) return { changed: false, sides };
      const version = nextVersion(previous, now);
      const events = notifications.map(({ type, by }) => {
        const [member, recipient] = by === 'mine' ? [mine, other] : [other, mine];
        return newEvent({ type, member, version, at: now, data: { other: recipient } });
      });
      const key = pairKey(mine, other);
      const content = contentOf(mine, other, sides);
      if (!(await write({ key, previous, content, version, events, now }))) return conflict;
      outbox.publishSoon(key, events);
      onRecount(recounted(contentOf(mine, other, before), content));
      return { changed: true, sides };
    });
  };

  return {
    outbox,
    ...createPairLists(model),
    read,
    /** The pairs of `mine` with each of `others` by the other's id. Members without a pair are absent. */
    async readMany(mine: number, others: readonly number[]): Promise<Map<number, Sides>> {
      if (!others.length) return new Map();
      const keys = others.map((other) => pairKey(mine, other));
      return byOther(mine, await documents.many({ _id: { $in: keys } }));
    },
    act,
    /** Every pair of `mine`, by the other's id; for archives. */
    all: async (mine: number): Promise<Map<number, Sides>> => byOther(mine, await pairsOf(mine)),
    /** Members who wrote with a member, each to the other. */
    async correspondentsOf(member: number): Promise<number[]> {
      const both = { 'low_side.messaged_at': { $exists: true }, 'high_side.messaged_at': { $exists: true } };
      return (await pairsOf(member, both)).map((pair) => otherOf(member, pair));
    },
    /** Members with whom a member has a pair: those of the first pairs found, up to `limit` on each side. */
    othersOf: async (member: number, limit: number): Promise<number[]> =>
      (await pairsOf(member, {}, limit)).map((pair) => otherOf(member, pair)),
    /** Deletes the pairs of a member with others; sends no event. */
    eraseBetween: (member: number, others: readonly number[]) =>
      documents.removeAll({ _id: { $in: others.map((other) => pairKey(member, other)) } }),
  };
}
