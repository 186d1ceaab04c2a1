import { eraseMember, exportBilling } from '@covalence/contract/peers/privacy-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { lineOf, type LedgerEntry } from '../ledger/ledger-store.ts';
import { viewOf } from './membership-view.ts';
import type { Membership } from './membership.ts';
import { forgetMember, type PaymentContext } from './settle-payment.ts';
import type { Subscription } from '../stores/subscription-store.ts';
import type { Payment } from '../payments/payment-store.ts';

const membershipOf = (membership: Membership, at: Date) => {
  const { membership_status, autorenew } = viewOf(membership, at);
  const { package_id, rate_id, started_at, expires_at, source } = membership;
  return {
    membership_status,
    autorenew,
    package_id,
    rate_id,
    started_at: started_at.toISOString(),
    expirationdate: expires_at.toISOString(),
    price_country: source?.country ?? null,
  };
};

const subscriptionOf = ({ store, reference, package_id, rate_id, ...rest }: Subscription) => ({
  store,
  reference,
  package_id,
  rate_id,
  started_at: rest.started_at.toISOString(),
  expirationdate: rest.expires_at.toISOString(),
  autorenew: rest.autorenew,
});

const paymentOf = ({ kind, package_id, rate_id, days, amount, currency, provider, ...rest }: Payment) => ({
  kind,
  package_id,
  rate_id,
  days,
  amount,
  currency,
  provider,
  country: rest.country ?? null,
  promo_code: rest.promo_code ?? null,
  state: rest.state,
  at: rest.at.toISOString(),
});

/** Without the staff accounts: the member learns the reason of a correction, not its author. */
const exportedLine = (entry: LedgerEntry) => {
  const { staff: _staff, approved_by: _by, ...line } = lineOf(entry);
  return line;
};

/** Exports membership, subscriptions, customers of stores, payments, ledger and used promo codes. Receipts are not stored. */
export const exportOf = serviceEndpoint(exportBilling, async ({ id }, context: PaymentContext) => {
  const { memberships, subscriptions, accountTokens, customers, payments, ledger, redemptions } = context;
  const [membership, subscribed, token, customerships, paid, lines, codes] = await Promise.all([
    memberships.find(id),
    subscriptions.findOf([id]),
    accountTokens.find(id),
    customers.of(id),
    payments.of(id),
    ledger.of(id),
    redemptions.of(id),
  ]);
  return {
    membership: membership ? membershipOf(membership, context.clock()) : null,
    account_token: token ?? null,
    customers: customerships,
    subscriptions: subscribed.map(subscriptionOf),
    payments: paid.map(paymentOf),
    ledger: lines.map(exportedLine),
    promo_codes: codes.map(({ code, at }) => ({ code, at: at.toISOString() })),
  };
});

export const erase = serviceEndpoint(eraseMember, async ({ id }, context: PaymentContext) => {
  await forgetMember(id, context);
  return {};
});
