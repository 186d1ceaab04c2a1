import type { ScamSignal } from '@covalence/contract/scam-rules';
import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { createHmac, hkdfSync } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createPrints } from './text-prints.ts';

/** The signals that messages have. */
export type MessageSignal = Exclude<ScamSignal, 'place' | 'new_account'>;

/** The print of a text. */
export type Print = readonly string[];

/** First messages of a conversation that have a print. */
const mostPrints = 5;

/** A signal in one conversation of a member. It contains no text and does not identify the other member. */
export interface Hit {
  /** Keyed hash of the member, the signal and the other: a conversation counts once. */
  readonly _id: string;
  readonly member: number;
  readonly signal: MessageSignal;
  readonly at: Date;
  readonly expires_at: Date;
  /** Of `alike`: the prints of the first messages, and whether one resembles that of another conversation. Only then it counts. */
  readonly prints?: readonly Print[];
  readonly repeated?: boolean;
}

const schema = collectionSchema<Hit>('scam-signals', {
  ...required({ _id: String, member: Number, signal: String, at: Date, expires_at: Date }),
  prints: { type: [[String]], default: undefined },
  repeated: Boolean,
});
schema.index({ member: 1, signal: 1, at: -1 });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** The number of conversations with a signal, and the time of the last. */
export interface SignalCount {
  readonly signal: MessageSignal;
  readonly count: number;
  readonly last: Date;
}

/** Creates the store on the `scam-signals` collection. */
export function createSignalStore(connection: Connection, secret: string) {
  const model = connection.model('ScamSignal', schema);
  const documents = documentsOf<Hit>(model);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'signals of scams', 32));
  return {
    idOf: (member: number, signal: MessageSignal, other: number): string =>
      createHmac('sha256', key).update(`${member} ${signal} ${other}`).digest('base64url'),
    printOf: createPrints(secret),
    /** Stores hits. The same of one conversation is stored once, with its latest time and its first prints. */
    async put(hits: readonly Hit[]) {
      if (!hits.length) return;
      const writes = hits.map(({ _id, member, signal, at, expires_at }) => ({
        updateOne: {
          filter: { _id },
          update: { $setOnInsert: { member, signal }, $max: { at, expires_at } },
          upsert: true,
        },
      }));
      await retryOnDuplicateKey(() => model.bulkWrite(writes, { ordered: false }));
      const prints = hits.flatMap(({ _id, prints: all = [] }) =>
        all.map((print) => ({
          updateOne: {
            filter: { _id, [`prints.${mostPrints - 1}`]: { $exists: false } },
            update: { $addToSet: { prints: [...print] } },
          },
        })),
      );
      if (prints.length) await model.bulkWrite(prints);
    },
    /** Prints of a member since a time, the newest first. */
    prints: (member: number, since: Date, limit: number): Promise<Hit[]> =>
      documents.many({ member, signal: 'alike', at: { $gt: since } }, { sort: { at: -1 }, limit }),
    repeat: (ids: readonly string[]) =>
      documents.updateAll({ _id: { $in: [...ids] } }, { $set: { repeated: true } }),
    /** Counts each of a member's signals since its given time. */
    async counts(
      member: number,
      since: readonly (readonly [signal: MessageSignal, at: Date])[],
    ): Promise<SignalCount[]> {
      if (!since.length) return [];
      const windows = since.map(([signal, at]) => ({
        signal,
        at: { $gt: at },
        ...(signal === 'alike' && { repeated: true }),
      }));
      const found = await model.aggregate<Omit<SignalCount, 'signal'> & { readonly _id: MessageSignal }>([
        { $match: { member, $or: windows } },
        { $group: { _id: '$signal', count: { $sum: 1 }, last: { $max: '$at' } } },
      ]);
      return found.map(({ _id: signal, ...rest }) => ({ signal, ...rest }));
    },
    erase: (member: number) => documents.removeAll({ member }),
  };
}
