import { Schema, type Connection } from 'mongoose';

/** A refresh token as it is kept. What the provider stores of it is one JSON text. */
export interface StoredRefreshToken {
  /** The id inside the envelope. */
  readonly _id: string;
  readonly grant_id: string;
  readonly account_id: string;
  readonly client_id: string;
  /** How often its family was rotated before: 0 for the one that came with the code. */
  readonly rotation: number;
  readonly payload: string;
  readonly consumed_at: Date | null;
  readonly expires_at: Date;
}

/** A grant: the family that every refresh token of one sign-in belongs to. */
export interface StoredGrant {
  readonly _id: string;
  readonly account_id: string;
  readonly payload: string;
  readonly expires_at: Date;
}

/** Refresh tokens and their families. */
export interface RefreshTokenStore {
  find(id: string): Promise<StoredRefreshToken | undefined>;
  save(token: StoredRefreshToken): Promise<void>;
  /** Marks it used if it stands as `before`; false when somebody else was faster. */
  consume(id: string, before: Date | null, at: Date): Promise<boolean>;
  /** Whether a token that followed this one was used itself. */
  successorUsed(token: StoredRefreshToken): Promise<boolean>;
  remove(id: string): Promise<void>;
  removeFamily(grantId: string): Promise<void>;
  findGrant(id: string): Promise<StoredGrant | undefined>;
  saveGrant(grant: StoredGrant): Promise<void>;
  /** Lets a family live until `end`; one that was removed stays removed. */
  extendGrant(id: string, end: Date): Promise<void>;
  removeGrant(id: string): Promise<void>;
  /** Ends every family of an account but `spared`. */
  removeFamiliesOf(accountId: string, spared: string | undefined): Promise<void>;
  /** Deletes what has expired before `date`. */
  purge(date: Date): Promise<void>;
}

const tokenSchema = new Schema<StoredRefreshToken>(
  {
    _id: { type: String, required: true },
    grant_id: { type: String, required: true },
    account_id: String,
    client_id: String,
    rotation: { type: Number, required: true },
    payload: { type: String, required: true },
    consumed_at: { type: Date, default: null },
    expires_at: { type: Date, required: true },
  },
  { collection: 'refresh_tokens', versionKey: false },
);
tokenSchema.index({ grant_id: 1 });
tokenSchema.index({ account_id: 1 });
tokenSchema.index({ expires_at: 1 });

const grantSchema = new Schema<StoredGrant>(
  {
    _id: { type: String, required: true },
    account_id: String,
    payload: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'grants', versionKey: false },
);
grantSchema.index({ account_id: 1 });
grantSchema.index({ expires_at: 1 });

/** Declares the collections on the service's connection. */
export function createRefreshTokenStore(connection: Connection): RefreshTokenStore {
  const tokens = connection.model('RefreshToken', tokenSchema);
  const grants = connection.model('Grant', grantSchema);
  return {
    find: async (id) => (await tokens.findById(id).lean<StoredRefreshToken>()) ?? undefined,
    async save(token) {
      await tokens.create(token);
    },
    async consume(id, before, at) {
      const filter = { _id: id, consumed_at: before };
      return (await tokens.updateOne(filter, { $set: { consumed_at: at } })).modifiedCount === 1;
    },
    async successorUsed({ grant_id, rotation }) {
      const next = await tokens.find({ grant_id, rotation: rotation + 1 }).lean<StoredRefreshToken[]>();
      return next.some((token) => token.consumed_at !== null);
    },
    async remove(id) {
      await tokens.deleteOne({ _id: id });
    },
    async removeFamily(grantId) {
      await tokens.deleteMany({ grant_id: grantId });
    },
    findGrant: async (id) => (await grants.findById(id).lean<StoredGrant>()) ?? undefined,
    async saveGrant({ _id, ...rest }) {
      await grants.updateOne({ _id }, { $set: rest }, { upsert: true });
    },
    async extendGrant(id, end) {
      await grants.updateOne({ _id: id }, { $set: { expires_at: end } });
    },
    async removeGrant(id) {
      await grants.deleteOne({ _id: id });
    },
    async removeFamiliesOf(accountId, spared) {
      // Grants first: without its grant, a token that is being issued at this moment is good for nothing.
      await grants.deleteMany({ account_id: accountId, _id: { $ne: spared ?? '' } });
      await tokens.deleteMany({ account_id: accountId, grant_id: { $ne: spared ?? '' } });
    },
    async purge(date) {
      await tokens.deleteMany({ expires_at: { $lt: date } });
      await grants.deleteMany({ expires_at: { $lt: date } });
    },
  };
}
