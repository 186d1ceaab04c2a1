import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { BanVersion } from '../document/member.ts';

/** One entry of the ban list: an email address or a device as its MAC, or a photo as its perceptual hash. */
export interface Ban {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly kind: 'email' | 'photo' | 'device';
  /** Null: on every site. */
  readonly siteid: number | null;
  /** The banned member and their photo; absent after the erasure of the member, like the reason, but the number stays for an appeal. */
  readonly member?: number;
  readonly photo?: number;
  readonly reason?: string;
  readonly staff: string;
  readonly mac?: string;
  /** Encrypted. */
  readonly hash?: string;
  readonly at: Date;
  readonly expires_at: Date;
}

const schema = new Schema<Stored<Ban>>(
  {
    ...required({ _id: String, kind: String, staff: String }),
    siteid: { type: Number, default: null },
    member: Number,
    photo: Number,
    reason: String,
    mac: String,
    hash: String,
    ...required({ at: Date, expires_at: Date }),
  },
  { collection: 'bans', versionKey: false, strict: 'throw' },
);
schema.index({ mac: 1 }, { sparse: true });
schema.index({ member: 1 }, { sparse: true });
// One entry for the same of a member; those of erased members have no member.
for (const what of ['mac', 'photo'] as const)
  schema.index(
    { member: 1, siteid: 1, [what]: 1 },
    { unique: true, partialFilterExpression: { member: { $exists: true }, [what]: { $exists: true } } },
  );
schema.index({ siteid: 1, _id: -1 });
schema.index({ kind: 1, at: 1 });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** The database removes expired entries only about once a minute. */
const inForce = (siteids: readonly number[], now: Date) => ({
  siteid: { $in: [...siteids, null] },
  expires_at: { $gt: now },
});

/** Creates the store on the `bans` collection. */
export function createBanStore(connection: Connection) {
  const model = connection.model('Ban', schema);
  const records = recordsOf<Ban>(model);
  return {
    /** Adds an entry. An earlier one for the same of the member is renewed. */
    async put({ id: _id, kind, siteid, member, photo, mac, at, ...rest }: Ban) {
      const same = { kind, siteid, member, ...(photo === undefined ? { mac } : { photo }) };
      const change = { $set: rest, $setOnInsert: { _id, at } };
      await retryOnDuplicateKey(() => model.updateOne(same, change, { upsert: true }));
    },
    /** The entries in force on one of some sites for the address or device with a MAC, if given, added by a time. */
    ofMac: (mac: string, siteids: readonly number[], now: Date, by?: Date): Promise<Ban[]> =>
      records.many({ mac, ...(by && { at: { $lte: by } }), ...inForce(siteids, now) }),
    /** The entries in force for some addresses, on any site. */
    ofEmails: (macs: readonly string[], now: Date): Promise<Ban[]> =>
      records.many({ mac: { $in: [...macs] }, expires_at: { $gt: now } }),
    /** Those of these entries that are in force on one of some sites. */
    among: (ids: readonly string[], siteids: readonly number[], now: Date): Promise<string[]> =>
      records.ids({ _id: { $in: [...ids] }, ...inForce(siteids, now) }),
    /** The entries of photos since a time, the oldest first. */
    async photosSince(at: Date): Promise<Required<Pick<Ban, 'id' | 'hash' | 'at'>>[]> {
      const shown = { hash: 1, at: 1 } as const;
      const found = await records.many({ kind: 'photo', at: { $gte: at } }, { sort: { at: 1 }, shown });
      return found.flatMap(({ id, hash, at }) => (hash === undefined ? [] : [{ id, hash, at }]));
    },
    /** Entries, the newest first, older than the entry `before`. Without `siteids` of every site, and those for all sites. */
    page(
      {
        siteids,
        member,
        ids,
      }: { readonly siteids?: readonly number[]; readonly member?: number; readonly ids?: readonly string[] },
      before: string | undefined,
      limit: number,
    ): Promise<Ban[]> {
      const wanted = {
        ...(siteids && { siteid: { $in: [...siteids] } }),
        ...(member !== undefined && { member }),
        ...((before !== undefined || ids) && {
          _id: { ...(before !== undefined && { $lt: before }), ...(ids && { $in: [...ids] }) },
        }),
      };
      return records.many(wanted, { sort: { _id: -1 }, limit });
    },
    find: (id: string): Promise<Ban | undefined> => records.one({ _id: id }),
    findMany: (ids: readonly string[]): Promise<Ban[]> => records.many({ _id: { $in: [...ids] } }),
    /** The entries of a member. */
    of: (member: number): Promise<Ban[]> => records.many({ member }),
    /** Removes entries that were not renewed since they were read. */
    async remove(entries: readonly BanVersion[]) {
      await model.deleteMany({ $or: entries.map(({ id: _id, expires_at }) => ({ _id, expires_at })) });
    },
    /** Removes what names a member from the entries, which stay; `keepsNumber`: but for the number. */
    async forget(member: number, keepsNumber = false) {
      const named = { photo: 1, reason: 1, ...(!keepsNumber && { member: 1 }) } as const;
      await model.updateMany({ member }, { $unset: named });
    },
  };
}
