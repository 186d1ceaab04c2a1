import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';

/** A warning to a member about another who was banned for fraud; sent once. */
export interface FraudWarning {
  readonly banned: number;
  readonly recipient: number;
  readonly at: Date;
  /** The decision that it is about. */
  readonly decision: string;
}

interface WarningDocument extends FraudWarning {
  /** `<banned>:<recipient>` */
  readonly _id: string;
  /** Set until the recipient was warned. */
  readonly untold?: boolean;
  /** When the decision was taken back; a later ban warns again. */
  readonly over_at?: Date;
  /** Set from then on until the recipient was notified. */
  readonly over_untold?: boolean;
}

const schema = collectionSchema<WarningDocument>('fraud-warnings', {
  ...required({ _id: String, banned: Number, recipient: Number, at: Date, decision: String }),
  untold: Boolean,
  over_at: Date,
  over_untold: Boolean,
});
schema.index({ banned: 1 });
schema.index({ recipient: 1 });
schema.index({ decision: 1 }, { sparse: true });
schema.index({ over_untold: 1 }, { sparse: true });

const keyOf = ({ banned, recipient }: FraudWarning) => `${banned}:${recipient}`;

/** Creates the store on the `fraud-warnings` collection. */
export function createWarningStore(connection: Connection) {
  const model = connection.model('FraudWarning', schema);
  const documents = documentsOf<WarningDocument>(model);
  return {
    /** Notes a warning that is about to be sent. False where it was sent before. */
    async begin(warning: FraudWarning): Promise<boolean> {
      const _id = keyOf(warning);
      if (await unlessDuplicate(model.create({ _id, ...warning, untold: true }))) return true;
      const again = { $set: { ...warning, untold: true }, $unset: { over_at: 1, over_untold: 1 } };
      await documents.update({ _id, over_at: { $exists: true } }, again);
      return (await model.exists({ _id, untold: true })) !== null;
    },
    notified: (warning: FraudWarning) => documents.update({ _id: keyOf(warning) }, { $unset: { untold: 1 } }),
    /** Ends the warnings of a decision that was taken back. */
    end: (decision: string, over_at: Date) =>
      documents.updateAll({ decision }, { $set: { over_at, over_untold: true } }),
    /** Warnings that are over, whose recipients do not know. */
    over: (limit: number): Promise<FraudWarning[]> =>
      documents.many({ over_untold: true, untold: { $exists: false } }, { limit }),
    ended: (warning: FraudWarning) =>
      documents.update({ _id: keyOf(warning) }, { $unset: { over_untold: 1 } }),
    /** The warnings that a member got. */
    to: (recipient: number): Promise<FraudWarning[]> =>
      documents.many({ recipient, untold: { $exists: false } }, { sort: { at: 1 } }),
    erase: (member: number) => documents.removeAll({ $or: [{ banned: member }, { recipient: member }] }),
  };
}
