import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** A signing key as it is stored; the private part is encrypted with AUTH_SECRET. */
export interface StoredKey {
  /** 1, 2, 3 …: of two processes that add the same number, one wins. */
  readonly _id: number;
  readonly kid: string;
  readonly public_jwk: string;
  readonly sealed_private: string;
  /** When it starts to sign. Before, it is only published, so that verifiers know it in time. */
  readonly active_from: Date;
}

const schema = new Schema<StoredKey>(
  {
    _id: { type: Number, required: true },
    kid: String,
    public_jwk: String,
    sealed_private: String,
    active_from: Date,
  },
  { collection: 'signing_keys', versionKey: false },
);

/** Declares the collection on the service's connection. */
export function createKeyStore(connection: Connection) {
  const model = connection.model('SigningKey', schema);
  return {
    /** Every key, newest first. */
    all: (): Promise<StoredKey[]> => model.find().sort({ _id: -1 }).lean<StoredKey[]>(),
    /** Adds a key; false when another process has added one with this number. */
    add: (key: StoredKey): Promise<boolean> => unlessDuplicate(model.create(key)),
    /** Replaces the sealed private part, unless it has changed since it was read. */
    async reseal({ _id, sealed_private }: StoredKey, sealed: string) {
      await model.updateOne({ _id, sealed_private }, { sealed_private: sealed });
    },
  };
}

/** Signing keys, shared by every process of the service. */
export type KeyStore = ReturnType<typeof createKeyStore>;
