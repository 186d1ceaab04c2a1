import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** An account at a provider that signs a member in. */
export interface Identity {
  /** Provider, site and the provider's `sub`: one account at a provider signs in one member of a site. */
  readonly _id: string;
  readonly member_id: string;
  readonly provider: string;
  /** The address that the provider gave when it was linked. */
  readonly email?: string | undefined;
  readonly linked_at: Date;
  readonly last_used_at: Date;
}

/** The id of an identity. */
export const identityId = (provider: string, siteid: number, subject: string): string =>
  `${provider}:${siteid}:${subject}`;

/** The `sub` in an identity's id. */
export const subjectOf = ({ _id }: Pick<Identity, '_id'>): string => _id.split(':').slice(2).join(':');

const schema = new Schema<Identity>(
  {
    ...required({ _id: String, member_id: String, provider: String, linked_at: Date, last_used_at: Date }),
    email: String,
  },
  { collection: 'identities', versionKey: false, id: false },
);
// One account of a provider per member: "Continue with Apple" means one thing on the account page.
schema.index({ member_id: 1, provider: 1 }, { unique: true });

/** Declares the collection on the service's connection. */
export function createIdentityStore(connection: Connection) {
  const model = connection.model('Identity', schema);
  return {
    findMany: (ids: readonly string[]): Promise<Identity[]> =>
      model.find({ _id: { $in: [...ids] } }).lean<Identity[]>(),
    /** The identities of a member, oldest first. */
    of: (memberId: string): Promise<Identity[]> =>
      model.find({ member_id: memberId }).sort({ linked_at: 1 }).lean<Identity[]>(),
    /** Links an identity; false when it, or another one of this provider, is linked already. */
    add: (identity: Identity): Promise<boolean> => unlessDuplicate(model.create(identity)),
    async setUsed(id: string, at: Date) {
      await model.updateOne({ _id: id }, { $max: { last_used_at: at } });
    },
    /** Removes an identity of a member; false when there was none. */
    async remove(memberId: string, provider: string): Promise<boolean> {
      return (await model.deleteOne({ member_id: memberId, provider })).deletedCount === 1;
    },
    /** Removes every identity of a member; false when there was none. */
    async erase(memberId: string): Promise<boolean> {
      return (await model.deleteMany({ member_id: memberId })).deletedCount > 0;
    },
  };
}

/** Accounts at providers that sign members in. */
export type IdentityStore = ReturnType<typeof createIdentityStore>;
