import { documentsOf } from '@covalence/runtime/documents';
import type { Model } from 'mongoose';
import { newestFirst } from '../members/page.ts';
import type { TimeCursor } from '../members/store/time-cursor.ts';
import { otherOf, shown, type PairDocument, sidesFor } from './pair-model-store.ts';
import { otherInKey, type Sides } from './pair.ts';

/** Another member in an activity list, with the time and key that order the list. */
export interface ListedMember extends TimeCursor {
  readonly other: number;
  /** Their pair, in a list of pairs. */
  readonly sides?: Sides;
}

/** A pair as one of its members sees it, with the version of its last change. */
export interface ChangedPair {
  readonly other: number;
  readonly version: number;
  readonly sides: Sides;
}

/** Large: whoever has 50,000 declines is read page by page before the first search. */
const pageSize = 2_500;

const byTimeDescending = (one: TimeCursor, other: TimeCursor) =>
  other.at.getTime() - one.at.getTime() || (one.key < other.key ? 1 : -1);

/** Creates the lists on the pairs collection. Each filter has its own index; the results are merged. */
export function createPairLists(model: Model<PairDocument>) {
  const documents = documentsOf<PairDocument>(model, shown);
  const list = async (
    member: number,
    filters: readonly object[],
    field: 'connected_at' | 'awaits_at',
    limit: number,
    after: TimeCursor | undefined,
  ): Promise<ListedMember[]> => {
    const found = await Promise.all(
      filters.map((filter) =>
        documents.many(
          { ...filter, ...newestFirst(field, after) },
          { sort: { [field]: -1, _id: -1 }, limit, shown: { ...shown, [field]: 1 } },
        ),
      ),
    );
    return found
      .flat()
      .flatMap((pair) => {
        const at = pair[field];
        return at ? [{ other: otherOf(member, pair), sides: sidesFor(member, pair), at, key: pair._id }] : [];
      })
      .sort(byTimeDescending)
      .slice(0, limit);
  };
  /** The others of all pairs of a list, unordered, with the times. Reads only the list's indexes. */
  const timesOf = async (member: number, filters: readonly object[], field: 'connected_at' | 'awaits_at') => {
    const listed = filters.map((filter) => ({ ...filter, [field]: { $gt: new Date(0) } }));
    const found = await documents.many({ $or: listed }, { shown: { [field]: 1 } });
    return found.map(({ _id, [field]: at }) => ({ other: otherInKey(member, _id), at }));
  };
  /** The numeric ids of the connections of some members, by member. */
  const connectedTo = async (members: readonly number[]): Promise<Map<number, number[]>> => {
    const some = { $in: members };
    const connected = { connected_at: { $gt: new Date(0) } };
    const either = [
      { low: some, ...connected },
      { high: some, ...connected },
    ];
    const pairs = await documents.many({ $or: either }, { shown: { _id: 0, low: 1, high: 1 } });
    const found = new Map(members.map((member) => [member, [] as number[]]));
    for (const { low, high } of pairs) {
      found.get(low)?.push(high);
      found.get(high)?.push(low);
    }
    return found;
  };
  /** Pairs of one side up to a page, with every pair of the last version on the page. */
  const sideOf = async (side: 'low' | 'high', mine: number, since: number) => {
    const changed = { [side]: mine, version: { $gte: since } };
    const found = await documents.many(changed, { sort: { version: 1 }, limit: pageSize });
    const last = found.at(-1)?.version;
    if (last === undefined || found.length < pageSize) return { pairs: found, upTo: Infinity };
    const same = await documents.many({ [side]: mine, version: last });
    return { pairs: [...found.filter(({ version }) => version < last), ...same], upTo: last };
  };

  /** Every change in one query, unordered; undefined where they exceed a page. */
  const few = async (mine: number, since: number) => {
    const later = { version: { $gte: since } };
    const sides = [{ low: mine }, { high: mine }].map((side) => ({ ...side, ...later }));
    const found = await documents.many({ $or: sides }, { limit: pageSize });
    return found.length < pageSize ? { pairs: found, upTo: Infinity } : undefined;
  };

  return {
    connectedTo,
    timesOfConnections: (member: number) =>
      timesOf(member, [{ low: member }, { high: member }], 'connected_at'),
    timesOfReceivedLikes: (member: number) => timesOf(member, [{ awaits: member }], 'awaits_at'),
    listConnections: (member: number, limit: number, after?: TimeCursor): Promise<ListedMember[]> =>
      list(member, [{ low: member }, { high: member }], 'connected_at', limit, after),
    listReceivedLikes: (member: number, limit: number, after?: TimeCursor): Promise<ListedMember[]> =>
      list(member, [{ awaits: member }], 'awaits_at', limit, after),
    /** About 2,500 pairs of `mine` from version `since` on, by version; `next` is the version of the next page. */
    async changedSince(mine: number, since: number): Promise<{ changes: ChangedPair[]; next?: number }> {
      const all = await few(mine, since);
      const sides = all
        ? [all]
        : await Promise.all([sideOf('low', mine, since), sideOf('high', mine, since)]);
      const upTo = Math.min(...sides.map((side) => side.upTo));
      const changes = sides
        .flatMap(({ pairs }) => pairs)
        .filter(({ version }) => version <= upTo)
        .map((pair) => ({ other: otherOf(mine, pair), version: pair.version, sides: sidesFor(mine, pair) }))
        .sort((one, another) => one.version - another.version);
      return { changes, ...(Number.isFinite(upTo) && { next: upTo + 1 }) };
    },
  };
}
