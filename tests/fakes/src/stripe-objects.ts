/** An object of the API, with the fields that its documentation has. */
export type StripeObject = Record<string, unknown> & { readonly id: string; readonly object: string };

/** A list as the API answers it. */
export const listOf = (data: readonly object[], url: string) => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

/** A product and its price. */
export interface StripeProduct {
  readonly id: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly days: number;
}

/** An event of the account. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: object };
}

/** A page on which a customer pays. */
export interface Page {
  readonly session: StripeObject & {
    status: string;
    url: string | null;
    subscription: string | null;
    customer: string | null;
  };
  readonly product: StripeProduct;
  readonly metadata: Record<string, string>;
  readonly coupon: string | null;
  readonly trialEnd: number | undefined;
}

/** The id of a product's price. */
export const priceIdOf = ({ id }: StripeProduct) => `price_${id}`;

export const priceObject = (product: StripeProduct): StripeObject => ({
  id: priceIdOf(product),
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  currency: product.currency,
  livemode: false,
  lookup_key: null,
  metadata: {},
  product: product.id,
  recurring: { interval: 'day', interval_count: product.days, usage_type: 'licensed', meter: null },
  type: 'recurring',
  unit_amount: product.amount,
  unit_amount_decimal: String(product.amount),
});

export const itemObject = (id: string, product: StripeProduct, start: number, end: number): StripeObject => ({
  id: id.replace('sub_', 'si_'),
  object: 'subscription_item',
  current_period_start: start,
  current_period_end: end,
  metadata: {},
  price: priceObject(product),
  quantity: 1,
  subscription: id,
});

/** The line of an invoice for a time of a product. */
export const lineObject = (
  subscription: string,
  product: StripeProduct,
  amount: number,
  start: number,
  end: number,
) => ({
  object: 'line_item',
  amount,
  currency: product.currency,
  metadata: {},
  parent: {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: { subscription, proration: amount < 0 },
  },
  period: { start, end },
  pricing: {
    type: 'price_details',
    price_details: { price: priceIdOf(product), product: product.id },
    unit_amount_decimal: String(product.amount),
  },
  quantity: 1,
});

/** A subscription as the API answers it. */
export interface StripeSubscription extends StripeObject {
  status: string;
  customer: string;
  currency: string;
  metadata: Record<string, string>;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  latest_invoice: string | null;
  pause_collection: object | null;
  items: ReturnType<typeof listOf>;
  cancel_at: number | null;
  schedule: string | null;
  pending_update: { readonly subscription_items: readonly object[] } | null;
}

export const subscriptionObject = (
  id: string,
  facts: {
    readonly customer: string;
    readonly currency: string;
    readonly metadata: Record<string, string>;
    readonly start: number;
    readonly trialEnd: number | undefined;
  },
): StripeSubscription => ({
  id,
  object: 'subscription',
  billing_mode: { type: 'flexible', flexible: {} },
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  collection_method: 'charge_automatically',
  created: facts.start,
  currency: facts.currency,
  customer: facts.customer,
  ended_at: null,
  items: listOf([], ''),
  latest_invoice: null,
  livemode: false,
  metadata: facts.metadata,
  pause_collection: null,
  pending_update: null,
  schedule: null,
  start_date: facts.start,
  status: facts.trialEnd === undefined ? 'active' : 'trialing',
  trial_end: facts.trialEnd ?? null,
});

/** The schedule of a subscription: its current product until a time, then another one. */
export const scheduleObject = (
  id: string,
  now: { readonly product: StripeProduct; readonly start: number; readonly end: number },
  next: StripeProduct,
) => {
  const phase = (product: StripeProduct, start_date: number, end_date: number) => ({
    start_date,
    end_date,
    items: [{ price: priceObject(product), quantity: 1 }],
  });
  return {
    id,
    object: 'subscription_schedule',
    current_phase: { start_date: now.start, end_date: now.end },
    end_behavior: 'release',
    phases: [phase(now.product, now.start, now.end), phase(next, now.end, now.end + next.days * 86_400)],
    status: 'active',
  };
};

/** A customer as the API answers it. */
export const customerObject = (id: string, created: number, facts: object): StripeObject => ({
  id,
  object: 'customer',
  created,
  email: null,
  livemode: false,
  metadata: {},
  ...facts,
});

/** An invoice that is to be paid. */
export const invoiceObject = (
  id: string,
  facts: {
    readonly subscription: StripeSubscription;
    readonly created: number;
    readonly total: number;
    readonly billing_reason: string;
    readonly lines: readonly object[];
  },
) => ({
  id,
  object: 'invoice',
  amount_due: Math.max(0, facts.total),
  amount_paid: 0,
  billing_reason: facts.billing_reason,
  created: facts.created,
  currency: facts.subscription.currency,
  customer: facts.subscription.customer,
  customer_email: buyer.email,
  lines: listOf(facts.lines, `/v1/invoices/${id}/lines`),
  livemode: false,
  parent: {
    type: 'subscription_details',
    quote_details: null,
    subscription_details: { subscription: facts.subscription.id, metadata: facts.subscription.metadata },
  },
  status: 'open',
  status_transitions: {
    finalized_at: facts.created,
    marked_uncollectible_at: null,
    paid_at: null as number | null,
    voided_at: null,
  },
  total: facts.total,
});

/** A person's details, which no log may have. */
export const buyer = { email: 'jenny.rosen@example.com', name: 'Jenny Rosen', phone: null, address: null };

/** A payment by card. */
export const chargeObject = (
  id: string,
  facts: {
    readonly amount: number;
    readonly created: number;
    readonly currency: string;
    readonly customer: string;
  },
) => ({
  id,
  object: 'charge',
  ...facts,
  amount_captured: facts.amount,
  amount_refunded: 0,
  billing_details: buyer,
  captured: true,
  disputed: false,
  livemode: false,
  metadata: {},
  paid: true,
  payment_intent: id.replace('ch_', 'pi_'),
  payment_method_details: {
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
  },
  refunded: false,
  status: 'succeeded',
});

/** The payment of an invoice by card. */
export const paymentObject = (
  { id, amount, created, currency, payment_intent }: ReturnType<typeof chargeObject>,
  invoice: string,
) => ({
  id: id.replace('ch_', 'inpay_'),
  object: 'invoice_payment',
  amount_paid: amount,
  amount_requested: amount,
  created,
  currency,
  invoice,
  is_default: true,
  livemode: false,
  payment: { type: 'payment_intent', payment_intent },
  status: 'paid',
  status_transitions: { canceled_at: null, paid_at: created },
});

/** A buyer's dispute of a charge. */
export const disputeObject = (
  id: string,
  { id: charge, amount, currency, payment_intent }: ReturnType<typeof chargeObject>,
  created: number,
) => ({
  id,
  object: 'dispute',
  amount,
  charge,
  created,
  currency,
  livemode: false,
  metadata: {},
  payment_intent,
  reason: 'fraudulent',
  status: 'needs_response',
});

/** An error as the API answers it. */
export const failure = (status: number, error: object): readonly [number, object] => [status, { error }];

export const missing = (what: string, id: string, param = 'id') =>
  failure(404, {
    code: 'resource_missing',
    doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
    message: `No such ${what}: '${id}'`,
    param,
    type: 'invalid_request_error',
  });

export const forbidden = () =>
  failure(403, {
    message: 'The provided key does not have the required permissions for this endpoint.',
    type: 'invalid_request_error',
  });

export const refused = (message: string) => failure(400, { message, type: 'invalid_request_error' });
