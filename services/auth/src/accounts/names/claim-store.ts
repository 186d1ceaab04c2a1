import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { claimId, staffSite, type Name } from './names.ts';

/** The owner of a username or email address on a site. */
export interface Claim extends Name {
  readonly member_id: string;
  readonly at: Date;
}

const schema = new Schema<Claim>(
  {
    ...required({ _id: String, member_id: String, at: Date }),
    skeleton: String,
  },
  { collection: 'claims', versionKey: false },
);
schema.index({ member_id: 1 });
schema.index({ skeleton: 1 }, { sparse: true });

/** Sorts behind every character of a name. */
const lastCharacter = '\u{10ffff}';

/** Declares the collection on the service's connection. */
export function createClaimStore(connection: Connection) {
  const model = connection.model('Claim', schema);
  // Sign-ins read through the driver: models cost more than the query.
  const documents = connection.collection<Claim>('claims');
  return {
    /** Claims a name. Returns the conflicting claim, or undefined when the member now owns the name. */
    async add(claim: Claim): Promise<Claim | undefined> {
      if (await unlessDuplicate(model.create(claim))) return undefined;
      const held = await documents.findOne({ _id: claim._id });
      // Released in between: the caller retries.
      if (!held) return { _id: claim._id, member_id: '', at: new Date(0) };
      return held.member_id === claim.member_id ? undefined : held;
    },
    /** Claims many names and skips claimed ones. Resolves to true when none was claimed before. */
    addMany: (list: readonly Claim[]): Promise<boolean> =>
      unlessDuplicate(model.insertMany(list, { ordered: false, lean: true })),
    /** Releases the names that this member owns. */
    async release(ids: readonly string[], memberId: string) {
      await model.deleteMany({ _id: { $in: ids }, member_id: memberId });
    },
    /** Names that begin as one of the ids does, in their order. */
    beginningWith: (ids: readonly string[], limit: number): Promise<Claim[]> =>
      documents
        .find({ $or: ids.map((id) => ({ _id: { $gte: id, $lt: `${id}${lastCharacter}` } })) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    find: (ids: readonly string[]): Promise<Claim[]> => documents.find({ _id: { $in: [...ids] } }).toArray(),
    /** Claims on plain Latin usernames with one of these skeletons. */
    findLookAlikes: (skeletons: readonly string[]): Promise<Claim[]> =>
      documents.find({ skeleton: { $in: [...skeletons] } }).toArray(),
    /** Ids of the staff accounts by name, at most 1,000. */
    async staffIds(): Promise<string[]> {
      const prefix = claimId(staffSite, 'username', '');
      const ids = { $gte: prefix, $lt: `${prefix}\u{10FFFF}` };
      const names = await documents.find({ _id: ids }).sort({ _id: 1 }).limit(1_000).toArray();
      return names.map((name) => name.member_id);
    },
    /** Releases every name of a member. */
    async releaseAll(memberId: string) {
      await model.deleteMany({ member_id: memberId });
    },
  };
}

/** Claims keep usernames and email addresses unique. */
export type ClaimStore = ReturnType<typeof createClaimStore>;
