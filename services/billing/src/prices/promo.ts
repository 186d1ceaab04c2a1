import { divideRounded, type Money } from '../ledger/money.ts';
import type { Offer } from './offers.ts';
import type { Platform, PromoCode } from './package-data.ts';

/** Why a promo code is not valid. */
export type PromoProblem = 'unknown' | 'not_applicable' | 'not_yet' | 'expired' | 'used' | 'used_up';

/** The judgment of a promo code. */
export type PromoOutcome =
  | { readonly valid: true; readonly promo: PromoCode }
  | { readonly valid: false; readonly problem: PromoProblem };

/** The circumstances of a use: member, site, platform, time, offers and uses so far. */
export interface PromoUse {
  readonly siteid: number;
  readonly platform: Platform;
  readonly at: Date;
  readonly offers: readonly Offer[];
  readonly usedByMember: boolean;
  readonly uses: number;
}

/** Finds a code, ignoring case and surrounding blanks. */
export function findPromo(promoCodes: readonly PromoCode[], typed: string): PromoCode | undefined {
  const code = typed.trim().toUpperCase();
  return promoCodes.find((promo) => promo.code === code);
}

const applies = (promo: PromoCode, { siteid, platform, offers }: PromoUse): boolean =>
  (promo.sites?.includes(siteid) ?? true) &&
  (promo.platforms?.includes(platform) ?? true) &&
  (promo.kind !== 'amount' || offers.some(({ currency }) => currency === promo.currency)) &&
  (promo.kind !== 'free_trial' || offers.some(({ rate }) => rate.rate_id === promo.rate_id));

/** Checks a code against its terms: site, platform, date range, once per member, total uses. */
export function judgePromo(promo: PromoCode | undefined, use: PromoUse): PromoOutcome {
  if (!promo) return { valid: false, problem: 'unknown' };
  const { from, until, once_per_member, total_uses } = promo;
  const time = use.at.getTime();
  const rules: [broken: boolean, problem: PromoProblem][] = [
    [!applies(promo, use), 'not_applicable'],
    [from !== undefined && time < Date.parse(from), 'not_yet'],
    [until !== undefined && time >= Date.parse(until), 'expired'],
    [once_per_member && use.usedByMember, 'used'],
    [total_uses !== undefined && use.uses >= total_uses, 'used_up'],
  ];
  const problem = rules.find(([broken]) => broken)?.[1];
  return problem ? { valid: false, problem } : { valid: true, promo };
}

/** The discount in minor units, at most the price. */
export function discountOf(promo: PromoCode, amount: Money): Money {
  if (promo.kind === 'percentage') return divideRounded(amount * promo.percentage, 100);
  return promo.kind === 'amount' ? Math.min(promo.amount, amount) : amount;
}
