import { hangingMembers } from '@covalence/contract/peers/operations-api';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Money } from '../ledger/money.ts';
import {
  anonymize,
  anonymizedFields,
  anonymizedIndex,
  pick,
  type Anonymized,
  type Owned,
} from '../ledger/anonymize-store.ts';

/** Why a payment came to nothing. */
export type PaymentProblem = 'declined' | 'promo' | 'not_possible';

/** The staff account that refunds, and the reason. */
export interface RefundNote {
  readonly staff: string;
  readonly reason: string;
  /** The second person, where one had to approve it. */
  readonly approved_by?: string | undefined;
}

/** One purchase or renewal, from the moment it is begun. */
export interface Payment {
  /** Begins with the member's id; the provider knows the charge by it. */
  readonly key: string;
  readonly member: number;
  readonly kind: 'purchase' | 'renewal';
  readonly package_id: number;
  readonly rate_id: number;
  /** Days of membership that it buys. */
  readonly days: number;
  readonly amount: Money;
  readonly currency: string;
  /** The country whose price it is (ISO 3166-1), where that is not the general one. */
  readonly country?: string | undefined;
  readonly provider: string;
  readonly promo_code?: string | undefined;
  /** Stored while the payment is open only. */
  readonly receipt?: string | undefined;
  /** Hash that makes a receipt usable once, by any member. Not stored if the provider was never asked. */
  readonly receipt_hash?: string | undefined;
  /** For a renewal: the provider's reference of the purchase. */
  readonly source?: string | undefined;
  readonly state: 'open' | 'paid' | 'declined' | 'refunded';
  readonly problem?: PaymentProblem | undefined;
  /** False if renewal was switched off before the provider decided. */
  readonly renews?: boolean | undefined;
  readonly refund_note?: RefundNote | undefined;
  /** When staff last asked for its refund. */
  readonly refund_asked_at?: Date | undefined;
  readonly at: Date;
  /** While open: when the job asks the provider again. */
  readonly look_at: Date;
}

interface PaymentDocument extends Omit<Payment, 'key'>, Anonymized {
  _id: string;
  /** The member while a purchase is open; unique, so that a member has one at a time. */
  purchasing?: number;
}

const schema = new Schema<PaymentDocument>(
  {
    ...required({ _id: String, member: Number }),
    kind: { type: String, enum: ['purchase', 'renewal'], required: true },
    ...required({
      package_id: Number,
      rate_id: Number,
      days: Number,
      amount: Number,
      currency: String,
      provider: String,
    }),
    country: { type: String },
    promo_code: { type: String },
    receipt: { type: String },
    receipt_hash: { type: String },
    source: { type: String },
    state: { type: String, enum: ['open', 'paid', 'declined', 'refunded'], required: true },
    problem: { type: String, enum: ['declined', 'promo', 'not_possible'] },
    renews: { type: Boolean },
    refund_note: {
      type: { staff: String, reason: String, approved_by: String },
      _id: false,
      default: undefined,
    },
    refund_asked_at: { type: Date },
    ...required({ at: Date, look_at: Date }),
    purchasing: { type: Number },
    ...anonymizedFields,
  },
  { collection: 'payments', versionKey: false },
);
schema.index({ purchasing: 1 }, { unique: true, sparse: true });
schema.index({ receipt_hash: 1 }, { unique: true, sparse: true });
schema.index({ state: 1, look_at: 1 });
schema.index({ member: 1, state: 1 });
schema.index(...anonymizedIndex);

/** Payments that are counted at most. */
const countLimit = 1_000;

const asPayment = ({
  _id,
  purchasing: _purchasing,
  anonymized_as: _as,
  left: _left,
  ...rest
}: PaymentDocument): Payment => ({
  key: _id,
  ...rest,
});

const spent = [
  'kind',
  'package_id',
  'rate_id',
  'days',
  'amount',
  'currency',
  'provider',
  'state',
  'at',
  'look_at',
];

/** The part of a payment that remains: its spent receipt. A pending payment counts as declined. */
const spentReceipt = (payment: Owned): Record<string, unknown> | undefined => {
  if (payment['receipt_hash'] === undefined) return undefined;
  const kept = pick(payment, spent);
  return kept['state'] === 'open' ? { ...kept, state: 'declined' } : kept;
};

/** Creates the store on the service's database. */
export function createPaymentStore(connection: Connection) {
  const model = connection.model('Payment', schema);
  const read = async (filter: object): Promise<Payment | undefined> => {
    const found = await model.findOne(filter).lean<PaymentDocument>();
    return found ? asPayment(found) : undefined;
  };
  /** Finds a payment by key, else by receipt. */
  const find = async (key: string, receipt_hash?: string): Promise<Payment | undefined> =>
    (await read({ _id: key })) ?? (receipt_hash ? read({ receipt_hash }) : undefined);
  const closed = { receipt: 1, purchasing: 1 } as const;

  return {
    find,
    /** Begins a payment, or returns that of its key or receipt; `busy` if another purchase is open. */
    async open(payment: Payment): Promise<Payment | 'busy'> {
      const { key, ...fields } = payment;
      const { member, kind, receipt_hash } = payment;
      const document = { _id: key, ...fields, ...(kind === 'purchase' && { purchasing: member }) };
      if (await unlessDuplicate(model.create(document))) return payment;
      return (await find(key, receipt_hash)) ?? 'busy';
    },
    /** Marks a payment as paid, or as refunded for good. */
    async close(key: string, state: 'paid' | 'refunded') {
      // A late notice of the payment must not undo a refund.
      const filter = { _id: key, ...(state === 'paid' && { state: { $ne: 'refunded' as const } }) };
      await model.updateOne(filter, { $set: { state }, $unset: { ...closed, problem: 1 } });
    },
    /** Stores that staff ask for a refund, before the check of what they may refund alone. */
    async noteRefundAsked(key: string, refund_asked_at: Date) {
      await model.updateOne({ _id: key }, { $set: { refund_asked_at } });
    },
    /** Stores who refunds a payment and why, before the refund, for the ledger entry. */
    async noteRefund(key: string, refund_note: RefundNote) {
      await model.updateOne({ _id: key }, { $set: { refund_note } });
    },
    /** Marks a payment as failed, unless it was paid meanwhile. */
    async fail(key: string, problem: PaymentProblem) {
      const unspent = problem === 'declined' ? {} : { receipt_hash: 1 as const };
      await model.updateOne(
        { _id: key, state: 'open' },
        { $set: { state: 'declined', problem }, $unset: { ...closed, ...unspent } },
      );
    },
    /** Deletes an open payment that the provider never saw. */
    async drop(key: string) {
      await model.deleteOne({ _id: key, state: 'open' });
    },
    /** Open payments of these providers that are due for another look. */
    async findWaiting(at: Date, limit: number, providers: readonly string[]): Promise<Payment[]> {
      const waiting = await model
        .find({ state: 'open', look_at: { $lte: at }, provider: { $in: [...providers] } })
        .sort({ look_at: 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
      return waiting.map(asPayment);
    },
    /** Counts payments open since before a time, up to 1,000, and reads the time and the members of the oldest. */
    async hanging(before: Date) {
      const filter = { state: 'open' as const, at: { $lte: before } };
      const [oldest, hanging] = await Promise.all([
        model
          .find(filter, { at: 1, member: 1 })
          .sort({ at: 1 })
          .limit(hangingMembers)
          .lean<Pick<PaymentDocument, 'at' | 'member'>[]>(),
        model.countDocuments(filter).limit(countLimit),
      ]);
      const members = [...new Set(oldest.map(({ member }) => member))];
      return { hanging, oldest: oldest[0]?.at.toISOString() ?? null, members };
    },
    /** Schedules the next look at an open payment and returns it; undefined if it is no longer open. */
    async lookAgain(key: string, at: Date): Promise<Payment | undefined> {
      const change = { $set: { look_at: at } };
      const found = await model.findOneAndUpdate({ _id: key, state: 'open' }, change).lean<PaymentDocument>();
      return found ? asPayment(found) : undefined;
    },
    /** Switches the renewal of a member's open purchase. */
    async setRenewal(member: number, renews: boolean) {
      await model.updateOne({ purchasing: member }, { $set: { renews } });
    },
    /** A member's pending renewal. */
    findOpenRenewal: (member: number): Promise<Payment | undefined> =>
      read({ member, state: 'open', kind: 'renewal' }),
    /** A member's payments, oldest first. */
    async of(member: number): Promise<Payment[]> {
      return (await model.find({ member }).sort({ at: 1 }).lean<PaymentDocument[]>()).map(asPayment);
    },
    /** Anonymizes an erased member's payments; keeps which receipts are spent. */
    anonymize: (member: number) =>
      anonymize(member, {
        collection: connection.collection<Owned>('payments'),
        unique: 'receipt_hash',
        keep: spentReceipt,
      }),
    /** The number of a member's failed purchases. */
    countFailed: (member: number): Promise<number> =>
      model.countDocuments({ member, state: 'declined', kind: 'purchase' }),
  };
}

/** Stores purchases and renewals. */
export type PaymentStore = ReturnType<typeof createPaymentStore>;
