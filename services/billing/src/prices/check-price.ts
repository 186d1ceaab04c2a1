import { Failure } from '@covalence/contract/failure';
import { moneyView } from '../ledger/money.ts';
import type { Price } from './package-data.ts';

/** The price that the app has shown, if it says. */
export interface ShownPrice {
  readonly expected_amount?: number | undefined;
  readonly expected_currency?: string | undefined;
}

/** Refuses a price that is not the one that the app has shown. */
export function checkPrice(
  { expected_amount: shown, expected_currency: shownIn }: ShownPrice,
  { amount, currency }: Price,
): void {
  const isAmount = shown === undefined || shown === moneyView('en_US', currency).number(amount);
  const isCurrency = shownIn === undefined || shownIn.toUpperCase() === currency;
  if (!isAmount || !isCurrency) throw new Failure(403, 'Price Changed');
}
