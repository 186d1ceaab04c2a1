import { randomBytes, randomInt } from 'node:crypto';

/** The types of real-time developer notifications for subscriptions. */
const types = {
  recovered: 1,
  renewed: 2,
  canceled: 3,
  purchased: 4,
  onHold: 5,
  inGracePeriod: 6,
  restarted: 7,
  paused: 10,
  revoked: 12,
  expired: 13,
} as const;

interface Order {
  readonly id: string;
  readonly token: string;
  readonly product: string;
  readonly at: number;
  readonly price: number;
  refundedAt?: number;
  /** Parts that were given back. */
  readonly parts: { readonly amount: number; readonly at: number }[];
}

interface Purchase {
  readonly token: string;
  readonly account: string | undefined;
  product: string;
  /** The product from the next renewal on. */
  next?: string | undefined;
  readonly plan: string;
  readonly base: string;
  readonly startedAt: number;
  readonly replaces: string | undefined;
  readonly expired: string | undefined;
  readonly isTest: boolean;
  readonly currency: string;
  state: string;
  expires: number;
  renews: boolean;
  isReplaced: boolean;
  isAcknowledged: boolean;
  orders: Order[];
}

/** A notification that Google has published, or would have. */
export interface GooglePlayNotice {
  readonly token: string;
  readonly at: number;
  readonly notification: object;
}

/** A purchase. */
export interface GooglePlayPurchase {
  readonly product: string;
  /** The base plan; `monthly` by default. */
  readonly plan?: string;
  /** `obfuscatedAccountId` of the app. */
  readonly account?: string;
  /** Hundredths of the currency. */
  readonly price?: number;
  readonly currency?: string;
  readonly days?: number;
  readonly isTest?: boolean;
  /** A purchase that is paid in cash later. */
  readonly isPending?: boolean;
  /** The token of the subscription that it replaces. */
  readonly replaces?: string;
  /** The token of the expired subscription that is bought again in Play's own list. */
  readonly expired?: string;
}

/** The app that is sold in. */
export interface GooglePlayApp {
  readonly packageName: string;
  /** The time of the store. */
  readonly clock: () => Date;
}

const dayMs = 86_400_000;
const part = () => `${randomInt(1_000, 9_999)}`;
const timeOf = (at: number) => new Date(at).toISOString();
const money = (hundredths: number, currencyCode: string) => ({
  currencyCode,
  units: `${Math.trunc(hundredths / 100)}`,
  nanos: (hundredths % 100) * 10_000_000,
});

/** Creates the purchases of an app, which a test drives, and says of them what the Google Play Developer API answers. */
export function createGooglePlayBook({ packageName, clock }: GooglePlayApp) {
  const purchases = new Map<string, Purchase>();
  const notices: GooglePlayNotice[] = [];
  const acknowledged: string[] = [];
  const now = () => clock().getTime();

  const find = (token: string): Purchase => {
    const found = purchases.get(token);
    if (!found) throw new Error(`no purchase ${token}`);
    return found;
  };

  const publish = (token: string, about: object): void => {
    const notification = { version: '1.0', packageName, eventTimeMillis: `${now()}`, ...about };
    notices.push({ token, at: now(), notification });
  };
  const tell = (token: string, type: keyof typeof types): void =>
    publish(token, {
      subscriptionNotification: { version: '1.0', notificationType: types[type], purchaseToken: token },
    });

  const charge = (purchase: Purchase, price: number, days: number): void => {
    const { orders, base, token, product } = purchase;
    const id = orders.length ? `${base}..${orders.length - 1}` : base;
    orders.push({ id, token, product: purchase.next ?? product, at: now(), price, parts: [] });
    purchase.product = purchase.next ?? product;
    purchase.next = undefined;
    purchase.expires = Math.max(now(), purchase.expires) + days * dayMs;
    purchase.state = 'ACTIVE';
    purchase.renews = true;
  };

  /** Actions of a buyer or the store, for tests. Each change leaves its notification. */
  const acts = {
    buy({
      product,
      account,
      price = 2_999,
      currency = 'USD',
      days = 30,
      ...rest
    }: GooglePlayPurchase): string {
      const token = randomBytes(48).toString('base64url');
      const purchase: Purchase = {
        token,
        account,
        product,
        plan: rest.plan ?? 'monthly',
        base: `GPA.${part()}-${part()}-${part()}-${randomInt(10_000, 99_999)}`,
        startedAt: now(),
        replaces: rest.replaces,
        expired: rest.expired,
        isTest: rest.isTest === true,
        currency,
        state: 'PENDING',
        expires: now(),
        renews: true,
        isReplaced: false,
        isAcknowledged: false,
        orders: [],
      };
      purchases.set(token, purchase);
      if (rest.replaces !== undefined)
        Object.assign(find(rest.replaces), { isReplaced: true, state: 'CANCELED', renews: false });
      if (!rest.isPending) {
        charge(purchase, price, days);
        tell(token, 'purchased');
      }
      return token;
    },
    /** A downgrade that waits for the renewal: a new purchase, whose first order is then. */
    defer(replaces: string, product: string): string {
      const before = find(replaces);
      const token = acts.buy({ product: before.product, replaces, isPending: true });
      const { expires, account, plan } = before;
      Object.assign(find(token), { expires, account, plan, state: 'ACTIVE', next: product });
      tell(token, 'purchased');
      return token;
    },
    pay(token: string, { price = 2_999, days = 30 } = {}) {
      charge(find(token), price, days);
      tell(token, 'purchased');
    },
    renew(token: string, { price = 2_999, days = 30 } = {}) {
      const wasLate = find(token).state !== 'ACTIVE';
      charge(find(token), price, days);
      tell(token, wasLate ? 'recovered' : 'renewed');
    },
    grace(token: string, days = 7) {
      const purchase = find(token);
      purchase.state = 'IN_GRACE_PERIOD';
      purchase.expires += days * dayMs;
      tell(token, 'inGracePeriod');
    },
    hold(token: string) {
      Object.assign(find(token), { state: 'ON_HOLD', expires: now() });
      tell(token, 'onHold');
    },
    pause(token: string) {
      Object.assign(find(token), { state: 'PAUSED', expires: now() });
      tell(token, 'paused');
    },
    cancel(token: string) {
      Object.assign(find(token), { state: 'CANCELED', renews: false });
      tell(token, 'canceled');
    },
    restart(token: string) {
      Object.assign(find(token), { state: 'ACTIVE', renews: true });
      tell(token, 'restarted');
    },
    expire(token: string) {
      Object.assign(find(token), { state: 'EXPIRED', renews: false });
      tell(token, 'expired');
    },
    /** Gives a part of the latest charge back, hundredths of the currency, as the developer can in the console. */
    refundPart(token: string, amount: number) {
      find(token).orders.at(-1)?.parts.push({ amount, at: now() });
    },
    /** Gives the latest charge back, by the developer or the buyer's bank. */
    refund(token: string) {
      const purchase = find(token);
      const last = purchase.orders.at(-1);
      if (last) last.refundedAt = now();
      publish(token, {
        voidedPurchaseNotification: {
          purchaseToken: token,
          orderId: last?.id,
          productType: 1,
          refundType: 1,
        },
      });
    },
    /** Ends it at once, without giving anything back. */
    revoke(token: string) {
      Object.assign(find(token), { state: 'EXPIRED', renews: false, expires: now() });
      tell(token, 'revoked');
    },
  };

  return {
    acts,
    notices: notices as readonly GooglePlayNotice[],
    /** Tokens in the order of their acknowledgements. */
    acknowledged: acknowledged as readonly string[],
    acknowledge(token: string, product: string): boolean {
      const purchase = purchases.get(token);
      if (purchase?.product !== product) return false;
      purchase.isAcknowledged = true;
      acknowledged.push(token);
      return true;
    },
    /** The answer of purchases.subscriptionsv2.get. */
    purchaseOf(token: string): object | undefined {
      const one = purchases.get(token);
      if (!one) return undefined;
      const last = one.orders.at(-1);
      return {
        kind: 'androidpublisher#subscriptionPurchaseV2',
        startTime: timeOf(one.startedAt),
        regionCode: 'US',
        subscriptionState: `SUBSCRIPTION_STATE_${one.state}`,
        latestOrderId: last?.id,
        ...(one.replaces !== undefined && { linkedPurchaseToken: one.replaces }),
        ...(one.expired !== undefined &&
          !one.isAcknowledged && {
            outOfAppPurchaseContext: {
              expiredPurchaseToken: one.expired,
              expiredExternalAccountIdentifiers: { obfuscatedExternalAccountId: find(one.expired).account },
            },
          }),
        acknowledgementState: `ACKNOWLEDGEMENT_STATE_${one.isAcknowledged ? 'ACKNOWLEDGED' : 'PENDING'}`,
        ...(one.account !== undefined && {
          externalAccountIdentifiers: { obfuscatedExternalAccountId: one.account },
        }),
        ...(one.isTest && { testPurchase: {} }),
        ...(one.state === 'CANCELED' && {
          canceledStateContext: one.isReplaced
            ? { replacementCancellation: {} }
            : { userInitiatedCancellation: {} },
        }),
        lineItems: [
          {
            productId: one.product,
            ...(one.next !== undefined && { deferredItemReplacement: { productId: one.next } }),
            ...(one.state !== 'PENDING' && { expiryTime: timeOf(one.expires) }),
            autoRenewingPlan: { autoRenewEnabled: one.renews, recurringPrice: money(2_999, one.currency) },
            offerDetails: { basePlanId: one.plan },
            ...(last && { latestSuccessfulOrderId: last.id }),
          },
        ],
      };
    },
    /** The answer of orders.get. */
    orderOf(id: string): object | undefined {
      const purchase = [...purchases.values()].find(({ orders }) => orders.some((order) => order.id === id));
      const order = purchase?.orders.find((one) => one.id === id);
      if (!purchase || !order) return undefined;
      const total = money(order.price, purchase.currency);
      const eventTime = timeOf(order.refundedAt ?? order.at);
      const partly = order.parts.length ? 'PARTIALLY_REFUNDED' : 'PROCESSED';
      const partialRefundEvents = order.parts.map(({ amount, at }) => ({
        createTime: timeOf(at),
        processTime: timeOf(at),
        state: 'PROCESSED_SUCCESSFULLY',
        refundDetails: { total: money(amount, purchase.currency) },
      }));
      return {
        orderId: order.id,
        purchaseToken: order.token,
        state: order.refundedAt === undefined ? partly : 'REFUNDED',
        createTime: timeOf(order.at),
        lastEventTime: eventTime,
        lineItems: [
          {
            productId: order.product,
            total,
            subscriptionDetails: { basePlanId: purchase.plan },
          },
        ],
        total,
        tax: money(0, purchase.currency),
        orderHistory: {
          processedEvent: { eventTime: timeOf(order.at) },
          ...(partialRefundEvents.length && { partialRefundEvents }),
          ...(order.refundedAt !== undefined && {
            refundEvent: { eventTime, refundDetails: { total }, refundReason: 'OTHER' },
          }),
        },
      };
    },
    /** The entries of purchases.voidedpurchases.list. */
    voidedBetween: (from: number, to: number): object[] =>
      [...purchases.values()]
        .flatMap(({ orders }) => orders)
        .flatMap(({ id, token, refundedAt }) =>
          refundedAt !== undefined && refundedAt >= from && refundedAt <= to
            ? {
                kind: 'androidpublisher#voidedPurchase',
                purchaseToken: token,
                orderId: id,
                voidedTimeMillis: `${refundedAt}`,
                voidedSource: 0,
                voidedReason: 0,
              }
            : [],
        ),
  };
}
