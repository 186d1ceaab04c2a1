import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** A refresh token of somebody at a provider, kept to be revoked. It names neither them nor a member. */
export interface StoredToken {
  readonly _id: string;
  /** MAC of provider and `sub`. */
  readonly person: string;
  readonly provider: string;
  /** The client at the provider that it was issued to. */
  readonly client_id: string;
  /** The encrypted `sub` and token. */
  readonly sealed: string;
  /** Names the secret that has sealed it. */
  readonly secret: string;
  /** When to check whether an account still needs it. It is revoked when none does. */
  readonly check_at?: Date;
  /** Attempts to revoke it, and the time of the first one. */
  readonly attempts?: number;
  readonly first_attempt_at?: Date;
}

const schema = new Schema<StoredToken>(
  {
    ...required({ _id: String, person: String, provider: String, client_id: String }),
    ...required({ sealed: String, secret: String }),
    check_at: Date,
    attempts: Number,
    first_attempt_at: Date,
  },
  { collection: 'provider_tokens', versionKey: false, id: false },
);
schema.index({ person: 1, client_id: 1 }, { unique: true });
schema.index({ check_at: 1 }, { sparse: true });
schema.index({ secret: 1 });

type Sealed = Pick<StoredToken, 'person' | 'sealed' | 'secret'>;

/** Selects a token, unless it was replaced or another check was set since it was read. */
const unchanged = ({ _id, sealed, check_at }: StoredToken) => ({
  _id,
  sealed,
  check_at: check_at ?? { $exists: false },
});

/** Declares the collection on the service's connection. */
export function createProviderTokenStore(connection: Connection) {
  const model = connection.model('ProviderToken', schema);
  return {
    /** Keeps the newest token of somebody and a client; `persons` are the MACs by every secret. */
    async keep(persons: readonly string[], token: Omit<StoredToken, '_id'>) {
      await retryOnDuplicateKey(() =>
        model.updateOne(
          { person: { $in: [...persons] }, client_id: token.client_id },
          {
            $set: token,
            $unset: { attempts: 1, first_attempt_at: 1 },
            $setOnInsert: { _id: randomUUID() },
          },
          { upsert: true },
        ),
      );
    },
    of: (persons: readonly string[]): Promise<StoredToken[]> =>
      model.find({ person: { $in: [...persons] } }).lean<StoredToken[]>(),
    /** Sets when the tokens of people are checked. */
    async setCheck(persons: readonly string[], check_at: Date) {
      await model.updateMany({ person: { $in: [...persons] } }, { $set: { check_at } });
    },
    /** The token whose check is due first, except those of some providers. */
    firstDue: (at: Date, except: readonly string[]): Promise<StoredToken | null> =>
      model
        .findOne({ check_at: { $lte: at }, provider: { $nin: [...except] } })
        .sort({ check_at: 1 })
        .lean<StoredToken>(),
    /** Ends the checks of a token that an account needs. */
    async setNeeded(token: StoredToken) {
      await model.updateOne(unchanged(token), {
        $unset: { check_at: 1, attempts: 1, first_attempt_at: 1 },
      });
    },
    /** Begins an attempt to revoke a token; false when another one has. */
    async beginAttempt(
      token: StoredToken,
      attempt: Required<Pick<StoredToken, 'attempts' | 'first_attempt_at' | 'check_at'>>,
    ): Promise<boolean> {
      return (await model.updateOne(unchanged(token), { $set: attempt })).modifiedCount === 1;
    },
    /** Removes a token, unless it was replaced. */
    async remove({ _id, sealed }: StoredToken) {
      await model.deleteOne({ _id, sealed });
    },
    /** Tokens that another secret has sealed. */
    sealedByOthers: (secret: string, limit: number): Promise<StoredToken[]> =>
      model
        .find({ secret: { $ne: secret } })
        .limit(limit)
        .lean<StoredToken[]>(),
    /** Replaces the encryption of a token, unless the token was replaced. */
    async reseal({ _id, sealed }: StoredToken, change: Partial<Sealed>) {
      await model.updateOne({ _id, sealed }, { $set: change });
    },
  };
}

/** Refresh tokens of providers, until they are revoked. */
export type ProviderTokenStore = ReturnType<typeof createProviderTokenStore>;
