import { required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** That a member is warned of somebody who was banned for fraud, once. */
export interface FraudWarning {
  readonly banned: number;
  readonly recipient: number;
  readonly at: Date;
}

interface WarningDocument extends FraudWarning {
  /** `<banned>:<recipient>` */
  readonly _id: string;
  /** Set until the recipient was warned. */
  readonly untold?: boolean;
}

const schema = new Schema<WarningDocument>(
  { ...required({ _id: String, banned: Number, recipient: Number, at: Date }), untold: Boolean },
  { collection: 'fraud-warnings', versionKey: false, strict: 'throw' },
);
schema.index({ banned: 1 });
schema.index({ recipient: 1 });

const keyOf = ({ banned, recipient }: FraudWarning) => `${banned}:${recipient}`;

/** Creates the store on the `fraud-warnings` collection. */
export function createWarningStore(connection: Connection) {
  const model = connection.model('FraudWarning', schema);
  return {
    /** Notes a warning that is about to be sent. False where it was sent before. */
    async begin(warning: FraudWarning): Promise<boolean> {
      const _id = keyOf(warning);
      if (await unlessDuplicate(model.create({ _id, ...warning, untold: true }))) return true;
      return (await model.exists({ _id, untold: true })) !== null;
    },
    async told(warning: FraudWarning) {
      await model.updateOne({ _id: keyOf(warning) }, { $unset: { untold: 1 } });
    },
    /** The warnings that a member got. */
    to: (recipient: number): Promise<FraudWarning[]> =>
      model
        .find({ recipient, untold: { $exists: false } })
        .sort({ at: 1 })
        .lean<FraudWarning[]>(),
    async erase(member: number) {
      await model.deleteMany({ $or: [{ banned: member }, { recipient: member }] });
    },
  };
}
