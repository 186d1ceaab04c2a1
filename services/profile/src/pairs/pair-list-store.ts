import type { Model } from 'mongoose';
import { afterMoment, type Moment } from '../members/page.ts';
import { otherOf, shown, type PairDocument, type StoredPair } from './pair-model-store.ts';

/** Another member in a list of the activity pages, since when they belong there, and the pair's key. */
export interface Listed extends Moment {
  readonly other: number;
}

/** What the activity pages list of pairs: as many as asked for, newest first, after a place in the list. */
export interface PairLists {
  /** Connections of a member. */
  listConnections(member: number, limit: number, after?: Moment): Promise<Listed[]>;
  /** The connections of some members, by member: the others' numbers. */
  connectedTo(members: readonly number[]): Promise<Map<number, number[]>>;
  /** Received likes that await the member's answer. */
  listAwaiting(member: number, limit: number, after?: Moment): Promise<Listed[]>;
}

type Timed = StoredPair & Pick<PairDocument, '_id' | 'connected_at' | 'awaits_at'>;

const newestFirst = (one: Moment, other: Moment) =>
  other.at.getTime() - one.at.getTime() || (one.key < other.key ? 1 : -1);

/** Creates the lists on the pairs collection. Each filter has an index of its own; what they find is merged. */
export function createPairLists(model: Model<PairDocument>): PairLists {
  const list = async (
    member: number,
    filters: readonly object[],
    field: 'connected_at' | 'awaits_at',
    limit: number,
    after: Moment | undefined,
  ): Promise<Listed[]> => {
    const found = await Promise.all(
      filters.map((filter) =>
        model
          .find({ ...filter, ...afterMoment(field, after) }, { ...shown, [field]: 1 })
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
      .sort(newestFirst)
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
    listAwaiting: (member, limit, after) => list(member, [{ awaits: member }], 'awaits_at', limit, after),
  };
}
