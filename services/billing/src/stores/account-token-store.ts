import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';

interface AccountTokenDocument {
  /** Numeric member id. */
  _id: number;
  token: string;
}

const schema = new Schema<AccountTokenDocument>(required({ _id: Number, token: String }), {
  collection: 'account-tokens',
  versionKey: false,
});
schema.index({ token: 1 }, { unique: true });

/** Creates the store on the service's database. */
export function createAccountTokenStore(connection: Connection) {
  const model = connection.model('AccountToken', schema);
  return {
    /** The member's token, made at the first call: a random UUID that reveals nothing about the member. */
    async of(member: number): Promise<string> {
      const found = await retryOnDuplicateKey(() =>
        model
          .findOneAndUpdate(
            { _id: member },
            { $setOnInsert: { token: randomUUID() } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<AccountTokenDocument>(),
      );
      return found.token;
    },
    /** The member of a token; undefined for an unknown one. */
    async memberOf(token: string): Promise<number | undefined> {
      return (await model.findOne({ token: token.toLowerCase() }).lean<AccountTokenDocument>())?._id;
    },
    /** The member's token, if there is one: those who were erased have none. */
    async find(member: number): Promise<string | undefined> {
      return (await model.findById(member).lean<AccountTokenDocument>())?.token;
    },
    /** Deletes the token of an erased member. */
    async erase(member: number) {
      await model.deleteOne({ _id: member });
    },
  };
}

/** Stores the tokens by which stores name members. */
export type AccountTokenStore = ReturnType<typeof createAccountTokenStore>;
