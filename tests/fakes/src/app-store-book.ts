import { importPKCS8, SignJWT, type JWTPayload } from 'jose';
import { randomUUID, X509Certificate } from 'node:crypto';
import { certificates, signingKeys } from './app-store-certificates.ts';

/** The statuses of the App Store Server API. */
const statuses = { active: 1, expired: 2, retrying: 3, grace: 4, revoked: 5 } as const;

interface Transaction {
  readonly id: string;
  readonly product: string;
  readonly at: number;
  expires: number;
  readonly price: number;
  readonly reason: 'PURCHASE' | 'RENEWAL';
  refund?: { readonly at: number; readonly percentage: number | undefined } | undefined;
  isUpgraded?: true;
  revokedAt?: number;
}

interface Subscription {
  readonly original: string;
  account: string | undefined;
  readonly currency: string;
  readonly isShared: boolean;
  readonly offer: string | undefined;
  readonly transactions: Transaction[];
  status: number;
  renews: boolean;
  next: string;
  grace?: number | undefined;
  /** Whether the buyer has agreed to a price increase. */
  agrees?: boolean;
}

/** A notification that the store has sent, or would have. */
export interface AppStoreNotice {
  readonly type: string;
  readonly subtype: string | undefined;
  readonly original: string;
  readonly at: number;
  /** The body of the request. */
  readonly body: { readonly signedPayload: string };
}

/** A purchase. */
export interface AppStorePurchase {
  readonly product: string;
  /** `appAccountToken` of the app. */
  readonly account?: string;
  /** Thousandths of the currency. */
  readonly price?: number;
  readonly currency?: string;
  readonly days?: number;
  readonly isShared?: boolean;
  /** The kind of introductory offer that it is bought with, as `offerDiscountType` names it. */
  readonly offer?: 'FREE_TRIAL' | 'PAY_AS_YOU_GO' | 'PAY_UP_FRONT';
}

/** The app that the store sells in. */
export interface AppStoreApp {
  readonly appId: string;
  readonly bundleId: string;
  readonly environment?: 'Production' | 'Sandbox';
  /** The time of the store. */
  readonly clock: () => Date;
}

const dayMs = 86_400_000;

const base64 = (pem: string) => new X509Certificate(pem).raw.toString('base64');

/** Signs as the App Store does, or as a developer with a certificate of the same root could. */
async function sign(payload: object, signer: keyof typeof signingKeys): Promise<string> {
  const key = await importPKCS8(signingKeys[signer], 'ES256');
  const x5c = [certificates[signer], certificates.intermediate, certificates.root].map(base64);
  return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: 'ES256', x5c }).sign(key);
}

/** Creates the subscriptions of an App Store, which a test drives, and signs what the store says of them. */
export function createAppStoreBook({ appId, bundleId, environment = 'Production', clock }: AppStoreApp) {
  const subscriptions = new Map<string, Subscription>();
  const notices: AppStoreNotice[] = [];
  let ids = 2_000_000_000_000_000;
  const now = () => clock().getTime();

  const find = (original: string): Subscription => {
    const found = subscriptions.get(original);
    if (!found) throw new Error(`no subscription ${original}`);
    return found;
  };
  const latest = ({ transactions }: Subscription): Transaction => {
    const last = transactions.at(-1);
    if (!last) throw new Error('a subscription has a transaction');
    return last;
  };

  const transactionText = (
    subscription: Subscription,
    one: Transaction,
    signer: keyof typeof signingKeys = 'appStore',
  ) =>
    sign(
      {
        transactionId: one.id,
        originalTransactionId: subscription.original,
        webOrderLineItemId: one.id,
        bundleId,
        productId: one.product,
        subscriptionGroupIdentifier: '20571234',
        purchaseDate: one.at,
        originalPurchaseDate: subscription.transactions[0]?.at,
        expiresDate: one.expires,
        quantity: 1,
        type: 'Auto-Renewable Subscription',
        ...(subscription.account !== undefined && { appAccountToken: subscription.account }),
        inAppOwnershipType: subscription.isShared ? 'FAMILY_SHARED' : 'PURCHASED',
        signedDate: now(),
        environment,
        transactionReason: one.reason,
        storefront: 'USA',
        storefrontId: '143441',
        appTransactionId: `7${subscription.original}`,
        price: one.price,
        currency: subscription.currency,
        ...(subscription.offer !== undefined &&
          one.reason === 'PURCHASE' && {
            offerType: 1,
            offerDiscountType: subscription.offer,
            offerPeriod: 'P1M',
          }),
        ...(one.isUpgraded && { isUpgraded: true }),
        ...(one.revokedAt !== undefined && {
          revocationDate: one.revokedAt,
          revocationReason: 0,
          revocationType: 'FAMILY_REVOKE',
        }),
        ...(one.refund && {
          revocationDate: one.refund.at,
          revocationReason: 0,
          ...(one.refund.percentage !== undefined && {
            revocationType: 'REFUND_PRORATED',
            revocationPercentage: one.refund.percentage * 1_000,
          }),
        }),
      },
      signer,
    );

  const renewalText = (subscription: Subscription) =>
    sign(
      {
        originalTransactionId: subscription.original,
        autoRenewProductId: subscription.next,
        productId: latest(subscription).product,
        autoRenewStatus: subscription.renews ? 1 : 0,
        isInBillingRetryPeriod:
          subscription.status === statuses.retrying || subscription.status === statuses.grace,
        ...(subscription.grace !== undefined && { gracePeriodExpiresDate: subscription.grace }),
        ...(subscription.agrees !== undefined && { priceIncreaseStatus: subscription.agrees ? 1 : 0 }),
        signedDate: now(),
        environment,
        recentSubscriptionStartDate: subscription.transactions[0]?.at,
        renewalDate: latest(subscription).expires,
        renewalPrice: latest(subscription).price,
        currency: subscription.currency,
        appTransactionId: `7${subscription.original}`,
        ...(subscription.account !== undefined && { appAccountToken: subscription.account }),
      },
      'appStore',
    );

  const notice = async (original: string, type: string, subtype?: string): Promise<AppStoreNotice> => {
    const subscription = find(original);
    const signedPayload = await sign(
      {
        notificationType: type,
        ...(subtype !== undefined && { subtype }),
        notificationUUID: randomUUID(),
        data: {
          // Apple leaves it out in the sandbox.
          ...(environment === 'Production' && { appAppleId: Number(appId) }),
          bundleId,
          bundleVersion: '1',
          environment,
          signedTransactionInfo: await transactionText(subscription, latest(subscription)),
          signedRenewalInfo: await renewalText(subscription),
          status: subscription.status,
        },
        version: '2.0',
        signedDate: now(),
      },
      'appStore',
    );
    const sent = { type, subtype, original, at: now(), body: { signedPayload } };
    notices.push(sent);
    return sent;
  };

  const charge = (
    subscription: Subscription,
    reason: Transaction['reason'],
    product: string,
    days: number,
    price: number,
  ) => {
    const { transactions } = subscription;
    const from = reason === 'RENEWAL' ? Math.max(now(), transactions.at(-1)?.expires ?? 0) : now();
    transactions.push({
      id: `${(ids += 1)}`,
      product,
      at: now(),
      expires: from + days * dayMs,
      price,
      reason,
    });
    subscription.status = statuses.active;
    subscription.grace = undefined;
    subscription.next = product;
  };

  /** Actions of a buyer or the store, for tests. Each change leaves its notification. */
  const acts = {
    async buy({
      product,
      account,
      price = 29_990,
      currency = 'USD',
      days = 30,
      isShared = false,
      offer,
    }: AppStorePurchase) {
      const original = `${(ids += 1)}`;
      const subscription = {
        original,
        account,
        currency,
        isShared,
        offer,
        transactions: [],
        status: 1,
        renews: true,
        next: product,
      };
      subscriptions.set(original, subscription);
      charge(subscription, 'PURCHASE', product, days, price);
      await notice(original, 'SUBSCRIBED', 'INITIAL_BUY');
      return original;
    },
    async renew(original: string, { days = 30, price = 29_990 } = {}) {
      const subscription = find(original);
      const wasLate = subscription.status === statuses.retrying || subscription.status === statuses.grace;
      charge(subscription, 'RENEWAL', subscription.next, days, price);
      await notice(original, 'DID_RENEW', wasLate ? 'BILLING_RECOVERY' : undefined);
    },
    async failRenewal(original: string, graceDays = 0) {
      const subscription = find(original);
      subscription.status = graceDays ? statuses.grace : statuses.retrying;
      subscription.grace = graceDays ? latest(subscription).expires + graceDays * dayMs : undefined;
      await notice(original, 'DID_FAIL_TO_RENEW', graceDays ? 'GRACE_PERIOD' : undefined);
    },
    async endGrace(original: string) {
      const subscription = find(original);
      subscription.status = statuses.retrying;
      subscription.grace = undefined;
      await notice(original, 'GRACE_PERIOD_EXPIRED');
    },
    /** Tells the buyer of a higher price, who agrees to it or has not answered. */
    async raisePrice(original: string, agrees: boolean) {
      find(original).agrees = agrees;
      await notice(original, 'PRICE_INCREASE', agrees ? 'ACCEPTED' : 'PENDING');
    },
    async expire(original: string, why?: string) {
      const subscription = find(original);
      const subtype = why ?? (subscription.renews ? 'BILLING_RETRY' : 'VOLUNTARY');
      Object.assign(subscription, { status: statuses.expired, renews: false, grace: undefined });
      await notice(original, 'EXPIRED', subtype);
    },
    async resubscribe(
      original: string,
      { days = 30, price = 29_990, account }: { days?: number; price?: number; account?: string } = {},
    ) {
      const subscription = find(original);
      subscription.account = account ?? subscription.account;
      charge(subscription, 'PURCHASE', subscription.next, days, price);
      subscription.renews = true;
      await notice(original, 'SUBSCRIBED', 'RESUBSCRIBE');
    },
    async switchRenewal(original: string, renews: boolean) {
      find(original).renews = renews;
      await notice(
        original,
        'DID_CHANGE_RENEWAL_STATUS',
        renews ? 'AUTO_RENEW_ENABLED' : 'AUTO_RENEW_DISABLED',
      );
    },
    /** Loses a subscription, as when its buyer's account is deleted. */
    forget(original: string) {
      subscriptions.delete(original);
    },
    /** An upgrade takes effect at once and gives back the rest of what it replaces; a downgrade waits for the renewal. */
    async change(original: string, product: string, { isUpgrade = true, days = 30, price = 59_990 } = {}) {
      const subscription = find(original);
      if (isUpgrade) {
        const before = latest(subscription);
        const rest = Math.max(0, Math.round(((before.expires - now()) / (before.expires - before.at)) * 100));
        Object.assign(before, { isUpgraded: true, refund: { at: now(), percentage: rest }, expires: now() });
        charge(subscription, 'PURCHASE', product, days, price);
      } else subscription.next = product;
      await notice(original, 'DID_CHANGE_RENEWAL_PREF', isUpgrade ? 'UPGRADE' : 'DOWNGRADE');
    },
    async extend(original: string, days: number) {
      latest(find(original)).expires += days * dayMs;
      await notice(original, 'RENEWAL_EXTENDED');
    },
    async refund(original: string) {
      const subscription = find(original);
      latest(subscription).refund = { at: now(), percentage: undefined };
      subscription.status = statuses.revoked;
      await notice(original, 'REFUND');
    },
    /** The buyer shares no longer, or has left the family. */
    async revoke(original: string) {
      const subscription = find(original);
      latest(subscription).revokedAt = now();
      subscription.status = statuses.revoked;
      await notice(original, 'REVOKE');
    },
    async reverseRefund(original: string) {
      const subscription = find(original);
      const last = latest(subscription);
      last.refund = undefined;
      subscription.status = last.expires > now() ? statuses.active : statuses.expired;
      await notice(original, 'REFUND_REVERSED');
    },
  };

  return {
    acts,
    notices: notices as readonly AppStoreNotice[],
    notice,
    get: (original: string) => subscriptions.get(original),
    find,
    latest,
    transactionText,
    renewalText,
  };
}
