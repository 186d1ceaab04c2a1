import type { Model } from 'mongoose';
import { newestFirst, type TimeCursor } from '../members/page.ts';
import { otherOf, shown, type PairDocument, type StoredPair } from './pair-model-store.ts';

/** Another member in an activity list, with the time and key that order the list. */
export interface ListedMember extends TimeCursor {
  readonly other: number;
}

/** Activity lists from the pairs: up to `limit` entries, newest first, behind a cursor. */
export interface PairLists {
  /** Connections of a member. */
  listConnections(member: number, limit: number, after?: TimeCursor): Promise<ListedMember[]>;
  /** The numeric ids of the connections of some members, by member. */
  connectedTo(members: readonly number[]): Promise<Map<number, number[]>>;
  /** Received likes that the member has not answered. */
  listReceivedLikes(member: number, limit: number, after?: TimeCursor): Promise<ListedMember[]>;
}

type Timed = StoredPair & Pick<PairDocument, '_id' | 'connected_at' | 'awaits_at'>;

const byTimeDescending = (one: TimeCursor, other: TimeCursor) =>
  other.at.getTime() - one.at.getTime() || (one.key < other.key ? 1 : -1);

/** Creates the lists on the pairs collection. Each filter has its own index; the results are merged. */
export function createPairLists(model: Model<PairDocument>): PairLists {
  const list = async (
    member: number,
    filters: readonly object[],
    field: 'connected_at' | 'awaits_at',
    limit: number,
    after: TimeCursor | undefined,
  ): Promise<ListedMember[]> => {
    const found = await Promise.all(
      filters.map((filter) =>
        model
          .find({ ...filter, ...newestFirst(field, after) }, { ...shown, [field]: 1 })
          .sort({ [field]: -1, _id: -1 })
          .limit(limit)
          .lean<Timed[]>(),
      ),
    );
    return found
      .flat()
      .flatMap((pair) => {
        const at = pair[field];
        return at ? [{ other: otherOf(member, pair), at, key: pair._id }] : [];
      })
      .sort(byTimeDescending)
      .slice(0, limit);
  };
  const connectedTo: PairLists['connectedTo'] = async (members) => {
    const connected = { connected_at: { $gt: new Date(0) } };
    const [asLow = [], asHigh = []] = await Promise.all(
      (['low', 'high'] as const).map((side) =>
        model
          .find({ [side]: { $in: members }, ...connected }, { _id: 0, low: 1, high: 1 })
          .lean<Pick<StoredPair, 'low' | 'high'>[]>(),
      ),
    );
    const found = new Map(members.map((member) => [member, [] as number[]]));
    for (const { low, high } of asLow) found.get(low)?.push(high);
    for (const { low, high } of asHigh) found.get(high)?.push(low);
    return found;
  };
  return {
    connectedTo,
    listConnections: (member, limit, after) =>
      list(member, [{ low: member }, { high: member }], 'connected_at', limit, after),
    listReceivedLikes: (member, limit, after) =>
      list(member, [{ awaits: member }], 'awaits_at', limit, after),
  };
}
