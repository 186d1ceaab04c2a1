import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { PaymentContext } from '../memberships/settle-payment.ts';
import { productOf } from '../prices/offers.ts';
import type { StoreState } from '../stores/store.ts';
import type { StoreQuery, SubscriptionFacts, SubscriptionName } from '../stores/subscription-store.ts';

/**
 * Books what the store charged, each charge once, and the difference between what it has given back and what is booked as given
 * back: a store can take a refund back. A refund is booked for the member who was charged.
 */
export async function bookCharges(
  name: SubscriptionName,
  query: StoreQuery,
  state: StoreState,
  facts: SubscriptionFacts,
  { ledger, packageData, subscriptions, clock }: PaymentContext,
): Promise<void> {
  const ids = state.charges.map(({ id }) => id);
  await retryOnConflict('the ledger', async () => {
    const lines = Map.groupBy(await ledger.ofReferences(name.store, ids), (line) => line.reference);
    for (const [index, charge] of state.charges.entries()) {
      const booked = lines.get(charge.id) ?? [];
      const [first] = booked.filter((one) => one.kind !== 'refund');
      const { package_id, rate_id } = productOf(packageData, state.app, charge.product) ?? facts;
      const { currency, refund } = charge;
      const member = first?.member ?? facts.member;
      const line = { member, currency, package_id, rate_id, provider: name.store, reference: charge.id };
      const id = `${name.store}:${charge.id}`;
      const kind = index === 0 ? ('purchase' as const) : ('renewal' as const);
      if (!first)
        await ledger.append({ id: `${id}:charge`, kind, ...line, amount: charge.amount, at: charge.at });
      const refunds = booked.filter((one) => one.kind === 'refund');
      const due = (refund?.amount ?? 0) + refunds.reduce((sum, { amount }) => sum + amount, 0);
      if (!due) continue;
      // The next query books the refund, or has booked it.
      if (!(await subscriptions.isLatest(name, query))) return undefined;
      const refundId = `${id}:refund:${refunds.length}`;
      const at = refund?.at ?? clock();
      if (!(await ledger.append({ id: refundId, kind: 'refund', ...line, amount: -due, at })))
        return conflict;
    }
    return undefined;
  });
}
