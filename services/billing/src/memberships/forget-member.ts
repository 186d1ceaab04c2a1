import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { MembershipStore } from './membership-store.ts';
import type { RedemptionStore } from '../prices/redemption-store.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import type { PaymentProviders } from '../payments/providers.ts';

/** The stores that hold data of members. */
interface Holders {
  readonly memberships: MembershipStore;
  readonly payments: PaymentStore;
  readonly redemptions: RedemptionStore;
  readonly ledger: LedgerStore;
  readonly providers: PaymentProviders;
}

/** Deletes a member's membership, which ends renewals, and anonymizes payments and ledger. Idempotent. */
export async function forgetMember(id: number, holders: Holders): Promise<void> {
  const { memberships, payments, redemptions, ledger, providers } = holders;
  // First, so that nothing is charged again.
  await memberships.erase(id);
  await payments.anonymize(id);
  await redemptions.anonymize(id);
  await providers.forget(id);
  await ledger.anonymize(id);
  // A concurrent payment may have created a membership. Later ones detect the erasure (settle-payment.ts).
  await memberships.erase(id);
}
