import { z } from 'zod';
import { divideRounded, minorDigits, type Money } from '../../ledger/money.ts';
import { storeProduct } from '../../prices/package-data.ts';
import type { StoreCharge, StoreState } from '../store.ts';
import type { PlayOrder, PlayPurchase } from './google-play-api.ts';

const moneySchema = z.object({
  currencyCode: z.string().length(3),
  units: z
    .string()
    .regex(/^\d{1,12}$/)
    .default('0'),
  nanos: z.number().int().min(0).max(999_999_999).default(0),
});

/** Minor units of Google's money: whole units and billionths. */
export function minorOf(money: unknown): { readonly amount: Money; readonly currency: string } {
  const { currencyCode, units, nanos } = moneySchema.parse(money);
  const digits = minorDigits(currencyCode);
  return {
    amount: Number(units) * 10 ** digits + divideRounded(nanos, 10 ** (9 - digits)),
    currency: currencyCode,
  };
}

/** Google's states of a subscription. A canceled one runs to its end. */
const phases: Record<string, StoreState['phase']> = {
  SUBSCRIPTION_STATE_PENDING: 'pending',
  SUBSCRIPTION_STATE_ACTIVE: 'running',
  SUBSCRIPTION_STATE_IN_GRACE_PERIOD: 'running',
  SUBSCRIPTION_STATE_CANCELED: 'running',
  SUBSCRIPTION_STATE_ON_HOLD: 'waiting',
  SUBSCRIPTION_STATE_PAUSED: 'waiting',
  SUBSCRIPTION_STATE_EXPIRED: 'ended',
  SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED: 'ended',
};

/** Google keeps a subscription active for so long after its end while it tries to charge, whatever the grace period. */
const silentGraceMs = 48 * 3_600_000;

const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const lineSchema = z.object({
  productId: z.string().min(1),
  expiryTime: date.optional(),
  latestSuccessfulOrderId: z.string().optional(),
  deferredItemReplacement: z.object({ productId: z.string() }).optional(),
  offerDetails: z.object({ basePlanId: z.string().optional() }).optional(),
  autoRenewingPlan: z
    .object({ autoRenewEnabled: z.boolean().default(false), recurringPrice: z.unknown().optional() })
    .optional(),
});

const purchaseSchema = z.object({
  startTime: date.optional(),
  subscriptionState: z.string(),
  lineItems: z.array(lineSchema).min(1),
});

/** The ids of every order of a subscription: the first, then `..0`, `..1` and so on. */
export function orderIdsOf({ lineItems = [] }: PlayPurchase): string[] {
  return lineItems.flatMap(({ latestSuccessfulOrderId: latest }) => {
    const [, first = '', last] = /^(GPA\.[\d-]+)(?:\.\.(\d{1,3}))?$/.exec(latest ?? '') ?? [];
    if (!first) return [];
    const renewals = last === undefined ? 0 : Number(last) + 1;
    return [first, ...Array.from({ length: renewals }, (_, index) => `${first}..${index}`)];
  });
}

const refundSchema = z.object({
  eventTime: date,
  refundDetails: z.object({ total: z.unknown() }).optional(),
});
const partialSchema = z.object({
  processTime: date.optional(),
  createTime: date,
  refundDetails: z.object({ total: z.unknown() }),
});

/** The refund of an order, in full or in part. */
function refundOf({ total, state, orderHistory, lastEventTime }: PlayOrder): StoreCharge['refund'] {
  const whole = refundSchema.safeParse(orderHistory?.refundEvent);
  if (state === 'REFUNDED') {
    const at = whole.data?.eventTime ?? date.parse(lastEventTime);
    return { amount: minorOf(whole.data?.refundDetails?.total ?? total).amount, at };
  }
  const parts = (orderHistory?.partialRefundEvents ?? []).flatMap((one) => {
    const part = partialSchema.safeParse(one);
    return part.success && one.state === 'PROCESSED_SUCCESSFULLY' ? part.data : [];
  });
  const last = parts.at(-1);
  if (!last) return undefined;
  const amount = parts.reduce((sum, { refundDetails }) => sum + minorOf(refundDetails.total).amount, 0);
  return { amount, at: last.processTime ?? last.createTime };
}

/** Orders that moved money: pending and canceled ones did not. */
const charged = new Set(['PROCESSED', 'REFUNDED', 'PARTIALLY_REFUNDED']);

const chargeOf = (order: PlayOrder): StoreCharge => {
  const refund = refundOf(order);
  const line = order.lineItems?.[0];
  return {
    id: order.orderId ?? '',
    product: storeProduct(line?.productId ?? '', line?.subscriptionDetails?.basePlanId),
    ...minorOf(order.total),
    at: date.parse(order.createTime),
    ...(refund && { refund }),
  };
};

/**
 * The state of a subscription from what Google answers now of the purchase and its orders. Throws for an answer that is no such
 * thing.
 */
export function playState(
  app: string,
  purchase: PlayPurchase,
  orders: readonly PlayOrder[],
  token: string,
  now: Date,
): StoreState {
  const { startTime, subscriptionState, lineItems } = purchaseSchema.parse(purchase);
  const endOf = (one: (typeof lineItems)[number]) => one.expiryTime?.getTime() ?? 0;
  const line = lineItems.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
  const charges = orders
    // The orders of a replaced subscription are booked under its own token.
    .filter(({ state, purchaseToken }) => charged.has(state ?? '') && (purchaseToken ?? token) === token)
    .map(chargeOf)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const latest = orders.find(({ orderId }) => orderId === line.latestSuccessfulOrderId);
  const refunded = latest?.state === 'REFUNDED' ? refundOf(latest)?.at : undefined;
  // Bought again in Play's own list of subscriptions: Google names who had the expired one, until it is acknowledged.
  const again = purchase.outOfAppPurchaseContext;
  const named = purchase.externalAccountIdentifiers ?? again?.expiredExternalAccountIdentifiers;
  const replaced = purchase.linkedPurchaseToken ?? again?.expiredPurchaseToken;
  const isReplaced = purchase.canceledStateContext?.replacementCancellation !== undefined;
  const phase = refunded || isReplaced ? 'ended' : (phases[subscriptionState] ?? 'waiting');
  const starts = startTime ?? charges[0]?.at ?? new Date(0);
  const autorenew = line.autoRenewingPlan?.autoRenewEnabled === true;
  const expires = line.expiryTime ?? starts;
  const isLate = subscriptionState === 'SUBSCRIPTION_STATE_ACTIVE' && autorenew && expires <= now;
  const ends = isLate ? new Date(expires.getTime() + silentGraceMs) : expires;
  const price = moneySchema.safeParse(line.autoRenewingPlan?.recurringPrice);
  return {
    account: named?.obfuscatedExternalAccountId ?? undefined,
    app,
    product: storeProduct(line.productId, line.offerDetails?.basePlanId),
    next: line.deferredItemReplacement?.productId,
    phase,
    started_at: starts,
    expires_at: refunded && refunded < ends ? refunded : ends,
    autorenew,
    isShared: false,
    isTest: Boolean(purchase.testPurchase),
    currency: charges.at(-1)?.currency ?? price.data?.currencyCode ?? 'USD',
    charges,
    ...(replaced && { replaces: `${app}:${replaced}` }),
    ...(purchase.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING' &&
      phase !== 'pending' && { isUnfinished: true as const }),
  };
}
