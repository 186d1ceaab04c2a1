import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import {
  anonymize,
  anonymizedFields,
  anonymizedIndex,
  pick,
  type Anonymized,
  type Owned,
} from '../ledger/anonymize-store.ts';
import type { PromoCode } from './package-data.ts';

/** One use of a promo code. */
interface Redemption extends Anonymized {
  /** "CODE:member" for a code that each member may use once, else "CODE:member:purchase". */
  _id: string;
  code: string;
  member: number;
  purchase: string;
  /** "CODE:number" within the code's total uses; absent for a code without such a limit. */
  seat?: string;
  at: Date;
}

/** A redemption to make. */
export interface Redeeming {
  readonly promo: PromoCode;
  readonly member: number;
  /** Identifies the purchase, which redeems at most once. */
  readonly purchase: string;
  readonly at: Date;
}

/** Uses of a promo code so far, as far as its terms limit them. */
export interface PromoUsage {
  readonly usedByMember: boolean;
  readonly uses: number;
}

const redemptionSchema = new Schema<Redemption>(
  {
    ...required({ _id: String, code: String, member: Number, purchase: String, at: Date }),
    seat: { type: String },
    ...anonymizedFields,
  },
  { collection: 'redemptions', versionKey: false },
);
redemptionSchema.index({ code: 1, purchase: 1 });
redemptionSchema.index({ member: 1 });
redemptionSchema.index(...anonymizedIndex);
redemptionSchema.index({ seat: 1 }, { unique: true, sparse: true });

const idOf = (promo: PromoCode, member: number, purchase: string) =>
  promo.once_per_member ? `${promo.code}:${member}` : `${promo.code}:${member}:${purchase}`;

/** Creates the store on the service's database. */
export function createRedemptionStore(connection: Connection) {
  const model = connection.model('Redemption', redemptionSchema);

  /** A random free seat, so that concurrent redemptions rarely collide. */
  const freeSeat = async (code: string, total: number): Promise<string | undefined> => {
    const taken = new Set((await model.find({ code }, { seat: 1 }).lean()).map(({ seat }) => seat));
    const seats = Array.from({ length: total }, (_, index) => `${code}:${index + 1}`);
    const free = seats.filter((seat) => !taken.has(seat));
    return free[Math.floor(Math.random() * free.length)];
  };

  return {
    /** Uses of a code that its terms limit. */
    async usage({ code, once_per_member, total_uses }: PromoCode, member: number): Promise<PromoUsage> {
      const [own, uses] = await Promise.all([
        once_per_member ? model.exists({ _id: `${code}:${member}` }) : undefined,
        total_uses ? model.countDocuments({ code }) : 0,
      ]);
      return { usedByMember: Boolean(own), uses };
    },

    /**
     * Redeems a code in one atomic write: concurrent calls cannot exceed its limits. A repeated purchase gets `redeemed` again.
     */
    async redeem({ promo, member, purchase, at }: Redeeming): Promise<'redeemed' | 'used' | 'used_up'> {
      const { code, total_uses } = promo;
      const redemption = { _id: idOf(promo, member, purchase), code, member, purchase, at };
      return retryOnConflict('the uses of a promo code', async () => {
        // Seats first: this purchase may itself hold the last one, by a concurrent call.
        const seat = total_uses ? await freeSeat(code, total_uses) : undefined;
        const own = await model.findById(redemption._id, { purchase: 1 }).lean();
        if (own) return own.purchase === purchase ? 'redeemed' : 'used';
        if (total_uses && !seat) return 'used_up';
        const isAdded = await unlessDuplicate(model.create({ ...redemption, ...(seat && { seat }) }));
        // Otherwise the own entry exists now, or another member took the seat.
        return isAdded ? 'redeemed' : conflict;
      });
    },

    /** Releases the use of a failed purchase. */
    async release(code: string, purchase: string) {
      await model.deleteOne({ code, purchase });
    },
    /** The codes that a member used, oldest first. */
    of: (member: number): Promise<{ readonly code: string; readonly at: Date }[]> =>
      model.find({ member }, { code: 1, at: 1 }).sort({ at: 1 }).lean(),
    /** Anonymizes an erased member's uses, which still count. */
    anonymize: (member: number) =>
      anonymize(member, {
        collection: connection.collection<Owned>('redemptions'),
        unique: 'seat',
        keep: (used) => ({ ...pick(used, ['code', 'at']), purchase: 'erased' }),
      }),
  };
}

/** Stores the uses of promo codes. */
export type RedemptionStore = ReturnType<typeof createRedemptionStore>;
