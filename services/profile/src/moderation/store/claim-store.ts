import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { WaitingKind } from '../../members/document/account-status.ts';
import { reportKey, type Report } from './report-store.ts';

/** The kinds of entries of the queue. */
export type EntryKind = WaitingKind | 'report';

/** Names an entry of the queue. */
export interface EntryName {
  readonly kind: EntryKind;
  /** The number of the member, or the id of the report. */
  readonly key: number | string;
  readonly siteid: number;
  /** Members whom the entry names. */
  readonly about: readonly number[];
}

/** An entry of the queue that one of the staff works on, so that nobody else gets it until the claim ends. */
export interface Claim extends EntryName {
  readonly staff: string;
  readonly until: Date;
}

interface ClaimDocument extends Claim {
  /** `<kind>:<key>` */
  readonly _id: string;
}

const schema = new Schema<ClaimDocument>(
  {
    ...required({ _id: String, kind: String, siteid: Number, staff: String, until: Date }),
    key: { type: Schema.Types.Mixed, required: true },
    about: { type: [Number], required: true },
  },
  { collection: 'queue-claims', versionKey: false, strict: 'throw' },
);
schema.index({ kind: 1, until: 1 });
schema.index({ staff: 1 });
schema.index({ about: 1 });
schema.index({ until: 1 }, { expireAfterSeconds: 0 });

/** An entry about a member. */
export const memberEntryName = (
  kind: WaitingKind,
  { _id, siteid }: { readonly _id: number; readonly siteid: number },
): EntryName => ({ kind, key: _id, siteid, about: [_id] });

/** An entry about a report. */
export const reportEntryName = ({
  reported,
  reporter,
  siteid,
}: Pick<Report, 'reported' | 'reporter' | 'siteid'>): EntryName => ({
  kind: 'report',
  key: reportKey(reported, reporter),
  siteid,
  about: [reported, reporter],
});

type EntryId = Pick<EntryName, 'kind' | 'key'>;

const idOf = ({ kind, key }: EntryId) => `${kind}:${key}`;

const asClaim = ({ _id, ...claim }: ClaimDocument): Claim => claim;

/** Creates the store on the `queue-claims` collection. */
export function createClaimStore(connection: Connection) {
  const model = connection.model('QueueClaim', schema);
  const read = async (filter: object): Promise<Claim[]> =>
    (await model.find(filter).sort({ until: 1 }).lean<ClaimDocument[]>()).map(asClaim);
  /** Replaces a claim that fits the filter, or adds one. False where another one stands. */
  const claim = async ({ staff, until, ...entry }: Claim, replaced: object): Promise<boolean> => {
    const _id = idOf(entry);
    const { matchedCount } = await model.updateOne({ _id, ...replaced }, { $set: { staff, until } });
    return matchedCount === 1 || unlessDuplicate(model.create({ _id, ...entry, staff, until }));
  };
  return {
    /** Claims an entry that nobody has claimed, not even the same account by another call. False otherwise. */
    takeFree: (wanted: Claim, now: Date): Promise<boolean> => claim(wanted, { until: { $lte: now } }),
    /** Claims an entry, or extends the own claim. False where somebody else has one that has not ended. */
    take: (wanted: Claim, now: Date): Promise<boolean> =>
      claim(wanted, { $or: [{ staff: wanted.staff }, { until: { $lte: now } }] }),
    /** Claims an entry whoever has it. */
    async takeOver({ staff, until, ...entry }: Claim) {
      await model.updateOne({ _id: idOf(entry) }, { $set: { ...entry, staff, until } }, { upsert: true });
    },
    /** The claims of a kind that have not ended, the first to end first. */
    live: (kinds: readonly EntryKind[], now: Date): Promise<Claim[]> =>
      read({ kind: { $in: [...kinds] }, until: { $gt: now } }),
    of: (staff: string, now: Date): Promise<Claim[]> => read({ staff, until: { $gt: now } }),
    async find(entry: EntryId, now: Date): Promise<Claim | undefined> {
      return (await read({ _id: idOf(entry), until: { $gt: now } }))[0];
    },
    /** Extends the claims of one of the staff on entries about a member, or on one entry. */
    async extend(about: { readonly about: number } | EntryId, staff: string, until: Date, now: Date) {
      const which = 'about' in about ? about : { _id: idOf(about) };
      await model.updateMany({ ...which, staff, until: { $gt: now } }, { $set: { until } });
    },
    /** Ends a claim, by default whoever has it. */
    async end(entry: EntryId, staff?: string) {
      await model.deleteOne({ _id: idOf(entry), ...(staff !== undefined && { staff }) });
    },
    async endAllOf(staff: string) {
      await model.deleteMany({ staff });
    },
    async erase(member: number) {
      await model.deleteMany({ about: member });
    },
  };
}
