import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Money } from './money.ts';
import { anonymize, anonymizedFields, nobody, pick, type Anonymized, type Owned } from './anonymize-store.ts';

/** The kinds of entries. */
export const ledgerKinds = ['purchase', 'renewal', 'refund', 'correction'] as const;

/** An entry of the ledger. It is never changed or deleted; those of an erased member are anonymized. */
export interface LedgerEntry {
  /** Identifies the booking: a second entry with the same id is ignored. */
  readonly id: string;
  readonly member: number;
  readonly kind: (typeof ledgerKinds)[number];
  /** Minor units: positive for charges and refunds that a store took back, negative for refunds, 0 for trials and corrections. */
  readonly amount: Money;
  readonly currency: string;
  readonly at: Date;
  readonly package_id: number;
  readonly rate_id: number;
  /** Key of its payment. */
  readonly payment?: string | undefined;
  readonly provider?: string | undefined;
  /** The provider's reference. */
  readonly reference?: string | undefined;
  readonly promo_code?: string | undefined;
  /** Of refunds and corrections by staff: who, why, who approved it as a second person, and the membership afterwards. */
  readonly staff?: string | undefined;
  readonly reason?: string | undefined;
  readonly approved_by?: string | undefined;
  readonly expires_at?: Date | undefined;
  readonly autorenew?: boolean | undefined;
}

interface LedgerDocument extends Omit<LedgerEntry, 'id'>, Anonymized {
  _id: string;
}

const schema = new Schema<LedgerDocument>(
  {
    ...required({ _id: String, member: Number }),
    kind: { type: String, enum: ledgerKinds, required: true },
    amount: { type: Number, required: true, validate: Number.isSafeInteger },
    ...required({ currency: String, at: Date, package_id: Number, rate_id: Number }),
    payment: { type: String },
    provider: { type: String },
    reference: { type: String },
    promo_code: { type: String },
    staff: { type: String },
    reason: { type: String },
    approved_by: { type: String },
    expires_at: { type: Date },
    autorenew: { type: Boolean },
    ...anonymizedFields,
  },
  { collection: 'ledger', versionKey: false },
);
schema.index({ member: 1, at: 1 });
schema.index({ provider: 1, reference: 1 });

/** An entry as calls answer it. */
export const lineOf = ({ member: _member, at, expires_at, ...entry }: LedgerEntry) => ({
  ...entry,
  at: at.toISOString(),
  ...(expires_at && { expires_at: expires_at.toISOString() }),
});

/** Fields that accounting needs of an anonymized entry. */
const booked = [
  'kind',
  'amount',
  'currency',
  'at',
  'package_id',
  'rate_id',
  'provider',
  'reference',
  'promo_code',
];

/** Creates the ledger on the service's database. */
export function createLedgerStore(connection: Connection) {
  const model = connection.model('LedgerEntry', schema);
  const collection = connection.collection<Owned>('ledger');
  const read = async (filter: object): Promise<LedgerEntry[]> => {
    const found = await model.find(filter).sort({ at: 1, _id: 1 }).lean<LedgerDocument[]>();
    return found.map(({ _id, anonymized_as: _as, ...entry }) => ({ id: _id, ...entry }));
  };
  return {
    /** Appends an entry; resolves to false if its id exists. */
    append: ({ id, ...entry }: LedgerEntry): Promise<boolean> =>
      unlessDuplicate(model.create({ _id: id, ...entry })),
    /** Finds an entry by id. */
    async find(id: string): Promise<LedgerEntry | undefined> {
      return (await read({ _id: id }))[0];
    },
    /** The members of entries with this id or provider's reference, without those who were erased. */
    async membersOf(reference: string, providers: readonly string[]): Promise<number[]> {
      const named = [{ _id: reference }, { provider: { $in: [...providers] }, reference }];
      return collection.distinct('member', { $or: named, member: { $ne: nobody } });
    },
    /** A member's entries, oldest first. */
    of: (member: number): Promise<LedgerEntry[]> => read({ member }),
    /** The entries of a provider's references, also those of erased members. */
    ofReferences: (provider: string, references: readonly string[]): Promise<LedgerEntry[]> =>
      read({ provider, reference: { $in: [...references] } }),
    /** Anonymizes the entries of an erased member. */
    anonymize: (member: number) => anonymize(member, { collection, keep: (line) => pick(line, booked) }),
  };
}

/** The append-only ledger. */
export type LedgerStore = ReturnType<typeof createLedgerStore>;
