import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { outboxFields, outboxIndex, type WithOutbox } from '@covalence/events/outbox';
import type { Connection, Model } from 'mongoose';
import { type Side, type Sides, relationOf } from './pair.ts';

/** One unordered pair of members as stored: both sides, and derived fields that counters and lists read. */
export interface PairDocument extends WithOutbox {
  _id: string;
  low: number;
  high: number;
  version: number;
  low_side: Side;
  high_side: Side;
  /** When the initial like was made, while one stands. */
  begun_at?: Date;
  connected_at?: Date;
  /** The member whose answer to a received like is awaited, and since when. */
  awaits?: number;
  awaits_at?: Date;
}

const sideSchema = subdocument({
  stance: { type: String, enum: ['none', 'liked', 'declined', 'unliked'], required: true },
  stance_at: Date,
  blocked_at: Date,
  viewed_at: Date,
  messaged_at: Date,
  reported_at: Date,
  passed_until: Date,
  photos: subdocument({ send: Boolean, receive: Boolean }),
});

const pairSchema = collectionSchema<PairDocument>('pairs', {
  ...required({
    _id: String,
    low: Number,
    high: Number,
    version: Number,
    low_side: sideSchema,
    high_side: sideSchema,
  }),
  begun_at: Date,
  connected_at: Date,
  awaits: Number,
  awaits_at: Date,
  ...outboxFields,
});

pairSchema.index({ low: 1, version: 1 });
pairSchema.index({ high: 1, version: 1 });
// The key completes the order of the lists, so that a page reads only its entries.
pairSchema.index({ low: 1, connected_at: 1, _id: 1 });
pairSchema.index({ high: 1, connected_at: 1, _id: 1 });
pairSchema.index({ awaits: 1, awaits_at: 1, _id: 1 });
pairSchema.index(...outboxIndex);

/** Declares the pairs collection. */
export function declarePairs(connection: Connection): Model<PairDocument> {
  return connection.model<PairDocument>('Pair', pairSchema);
}

/** The projection of a stored pair. */
export const shown = { low: 1, high: 1, version: 1, low_side: 1, high_side: 1, begun_at: 1 } as const;

/** The parts of a pair that operations read. */
export type StoredPair = Pick<PairDocument, keyof typeof shown>;

/** A stored pair as `mine` sees it. */
export function sidesFor(mine: number, pair: StoredPair): Sides {
  const { low_side, high_side, begun_at } = pair;
  const [own, theirs] = mine === pair.low ? [low_side, high_side] : [high_side, low_side];
  return { mine: own, theirs, ...(begun_at && { begun_at }) };
}

/** The other member of a pair. */
export function otherOf(mine: number, { low, high }: StoredPair): number {
  return mine === low ? high : low;
}

/** The derived fields; absent ones are removed from the document. */
const derived = (low: number, high: number, sides: Sides) => {
  const { covalence, answered } = relationOf(sides);
  if (covalence === 'mutual' && answered) return { connected_at: answered };
  if (covalence === 'liked' && sides.mine.stance_at && sides.theirs.stance === 'none') {
    return { awaits: high, awaits_at: sides.mine.stance_at };
  }
  if (covalence === 'likedme' && sides.theirs.stance_at) {
    return { awaits: low, awaits_at: sides.theirs.stance_at };
  }
  return {};
};

/** Names of the fields that a pair has only in some states. */
export const optionalNames = ['begun_at', 'connected_at', 'awaits', 'awaits_at'] as const;

/** The stored pair without its key, version and outbox. */
export type PairContent = Omit<PairDocument, '_id' | 'version' | 'outbox' | 'outboxAt'>;

type CounterFields = Pick<PairDocument, 'low' | 'high' | 'connected_at' | 'awaits' | 'awaits_at'>;

/** The members whose counters a change of their pair affects. */
export function recounted(before: CounterFields, after: CounterFields): number[] {
  if (before.connected_at?.getTime() !== after.connected_at?.getTime()) return [after.low, after.high];
  const isSame = before.awaits === after.awaits && before.awaits_at?.getTime() === after.awaits_at?.getTime();
  return isSame ? [] : [before.awaits, after.awaits].filter((member) => member !== undefined);
}

/** The stored pair for `sides` as `mine` sees them. */
export function contentOf(mine: number, other: number, sides: Sides): PairContent {
  const [low, high] = mine < other ? [mine, other] : [other, mine];
  const [low_side, high_side] = mine < other ? [sides.mine, sides.theirs] : [sides.theirs, sides.mine];
  return {
    low,
    high,
    low_side,
    high_side,
    ...(sides.begun_at && { begun_at: sides.begun_at }),
    ...derived(low, high, { mine: low_side, theirs: high_side }),
  };
}
