import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { MembershipStore } from './membership-store.ts';
import type { RedemptionStore } from '../prices/redemption-store.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import type { PaymentProviders } from '../payments/providers.ts';

/** Everything that holds something of a member. */
interface Holders {
  readonly memberships: MembershipStore;
  readonly payments: PaymentStore;
  readonly redemptions: RedemptionStore;
  readonly ledger: LedgerStore;
  readonly providers: PaymentProviders;
}

/**
 * Deletes the membership of a member, and with it renewals; what the books have to say of the money taken stays without saying
 * whose it was. Idempotent.
 */
export async function forgetMember(id: number, holders: Holders): Promise<void> {
  const { memberships, payments, redemptions, ledger, providers } = holders;
  // First, so that nothing is charged any more.
  await memberships.erase(id);
  await payments.anonymize(id);
  await redemptions.anonymize(id);
  await providers.forget(id);
  await ledger.anonymize(id);
  // A payment under way may have made one; those that end from now on find that they are gone (settle-payment.ts).
  await memberships.erase(id);
}
