import type { PaymentStore } from '../payments/payment-store.ts';
import { changeMemberships, type MembershipWriting } from './change-memberships.ts';
import { withAutorenew, type Membership } from './membership.ts';

/** What switching renewal on or off works with. */
interface RenewalWriting extends MembershipWriting {
  readonly payments: PaymentStore;
}

/**
 * Switches the renewal of a member on or off, also of what the provider has not decided on yet: whoever cannot sign in
 * any more when a payment is decided is not charged again. Answers the membership, where there is one.
 */
export async function changeRenewal(
  writing: RenewalWriting,
  member: number,
  autorenew: boolean,
  at: Date,
): Promise<Membership | undefined> {
  await writing.payments.setRenewal(member, autorenew);
  await changeMemberships(
    writing,
    [member],
    (_member, current) => current && withAutorenew(current, autorenew, at),
    at,
  );
  return writing.memberships.find(member);
}
