import {
  Environment,
  InAppOwnershipType,
  SignedDataVerifier,
  Status,
  Type,
  VerificationException,
  VerificationStatus,
  type JWSRenewalInfoDecodedPayload,
  type JWSTransactionDecodedPayload,
} from '@apple/app-store-server-library';
import { unavailable } from '@covalence/contract/failure';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { divideRounded, minorDigits, type Money } from '../../ledger/money.ts';
import type { Store, StoreCharge, StoreState } from '../store.ts';
import { createAppStoreApi } from './app-store-api.ts';
import { appleRoots, type AppStoreApp, type AppStoreOptions } from './app-store-apps.ts';
import { effects } from './notification-types.ts';

/** The fields of a transaction that are used. The library checks the signature, the app and the environment, and only types. */
const transactionSchema = z.object({
  originalTransactionId: z.string().regex(/^\d{1,32}$/),
  transactionId: z.string().regex(/^\d{1,32}$/),
  productId: z.string().min(1),
  purchaseDate: z.number(),
  originalPurchaseDate: z.number(),
  expiresDate: z.number(),
  type: z.literal(Type.AUTO_RENEWABLE_SUBSCRIPTION),
  appAccountToken: z.uuid().optional(),
  inAppOwnershipType: z.enum(InAppOwnershipType),
  currency: z.string().length(3).default('USD'),
  /** Thousandths of the currency. */
  price: z.number().int().nonnegative().default(0),
  revocationDate: z.number().optional(),
  /** Thousandths of a percent; of the whole price without it. */
  revocationPercentage: z.number().int().min(0).max(100_000).optional(),
});

type Transaction = z.infer<typeof transactionSchema>;

/** An app with what checks its signed texts and asks about them. */
interface Seller {
  readonly app: AppStoreApp;
  readonly verifier: SignedDataVerifier;
  readonly api: ReturnType<typeof createAppStoreApi>;
}

const bodySchema = z.object({ signedPayload: z.string().max(60_000) });

/** Undefined for a text that Apple did not sign for a listed app. */
async function genuine<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof VerificationException)) return undefined;
    if (error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE) throw unavailable(error);
    return undefined;
  }
}

/** Undefined for text that is no JWS at all. */
const readable = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return undefined;
    throw error;
  }
};

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

const transactionOf = ({ verifier }: Seller, signed: string) =>
  genuine(async () => transactionSchema.parse(await verifier.verifyAndDecodeTransaction(signed)));

const minorOf = (thousandths: number, currency: string): Money =>
  divideRounded(thousandths, 10 ** (3 - minorDigits(currency)));

const chargeOf = (one: Transaction): StoreCharge => {
  const amount = minorOf(one.price, one.currency);
  const share = one.revocationPercentage ?? 100_000;
  return {
    id: one.transactionId,
    product: one.productId,
    amount,
    currency: one.currency,
    at: new Date(one.purchaseDate),
    ...(one.revocationDate !== undefined && {
      refund: { amount: divideRounded(amount * share, 100_000), at: new Date(one.revocationDate) },
    }),
  };
};

const phases: Record<Status, StoreState['phase']> = {
  [Status.ACTIVE]: 'running',
  [Status.BILLING_GRACE_PERIOD]: 'running',
  [Status.BILLING_RETRY]: 'waiting',
  [Status.EXPIRED]: 'ended',
  [Status.REVOKED]: 'ended',
};

/** The end of a subscription: that of the grace period, or when it was revoked. */
function endOf(status: Status, latest: Transaction, renewal: JWSRenewalInfoDecodedPayload): Date {
  if (status === Status.BILLING_GRACE_PERIOD)
    return new Date(renewal.gracePeriodExpiresDate ?? latest.expiresDate);
  if (status === Status.REVOKED)
    return new Date(Math.min(latest.revocationDate ?? latest.expiresDate, latest.expiresDate));
  return new Date(latest.expiresDate);
}

/** Names a subscription across apps and environments. */
const referenceOf = ({ bundle_id, environment }: AppStoreApp, original: string) =>
  `${bundle_id}:${environment}:${original}`;

/** The App Store, by StoreKit 2 transactions, the App Store Server API and its notifications (version 2). */
export function createAppStore({
  apps,
  roots = appleRoots(),
  apiUrl,
  onlineChecks = true,
}: AppStoreOptions): Store {
  const sellers = apps.map((app): Seller => {
    const environment = app.environment === 'Production' ? Environment.PRODUCTION : Environment.SANDBOX;
    const appleId = Number(app.app_id);
    return {
      app,
      verifier: new SignedDataVerifier([...roots], onlineChecks, environment, app.bundle_id, appleId),
      api: createAppStoreApi(app, apiUrl),
    };
  });
  const sellerOf = (bundle_id: unknown, environment: unknown) =>
    sellers.find(({ app }) => app.bundle_id === bundle_id && app.environment === environment);

  /** The app that a signed text says it is of: the text must then prove it. */
  const claimed = (signed: string): Seller | undefined => {
    const { bundleId, environment } = decodeJwt<JWSTransactionDecodedPayload>(signed);
    return sellerOf(bundleId, environment);
  };

  /** The subscription of a notification, null if it is about none, undefined if it is not genuine. */
  const subjectOf = async (signed: string): Promise<string | null | undefined> => {
    const told = z.looseObject({ data: z.looseObject({}).optional() }).safeParse(decodeJwt(signed));
    const seller = sellerOf(told.data?.data?.['bundleId'], told.data?.data?.['environment']);
    const notification = seller && (await genuine(() => seller.verifier.verifyAndDecodeNotification(signed)));
    if (!notification) return undefined;
    const type = z
      .enum(Object.keys(effects) as (keyof typeof effects)[])
      .safeParse(notification.notificationType);
    const text = notification.data?.signedTransactionInfo;
    // A type that Apple has added since may change the subscription that it names.
    if (text === undefined || (type.success && effects[type.data] === 'nothing')) return null;
    const transaction = await transactionOf(seller, text);
    return transaction ? referenceOf(seller.app, transaction.originalTransactionId) : null;
  };

  return {
    name: 'app_store',
    platforms: ['app_ios'],
    manageUrl: 'https://apps.apple.com/account/subscriptions',
    read: (receipt) =>
      readable(async () => {
        const seller = claimed(receipt);
        const transaction = seller && (await transactionOf(seller, receipt));
        if (!transaction) return undefined;
        const { originalTransactionId, productId } = transaction;
        return {
          reference: referenceOf(seller.app, originalTransactionId),
          app: seller.app.app_id,
          product: productId,
        };
      }),
    async ask(reference) {
      const [bundleId, environment, original = ''] = reference.split(':');
      const seller = sellerOf(bundleId, environment);
      if (!seller) return undefined;
      const found = await seller.api.statusOf(original);
      if (!found?.signedTransactionInfo || !found.signedRenewalInfo) return undefined;
      const latest = await transactionOf(seller, found.signedTransactionInfo);
      const renewalText = found.signedRenewalInfo;
      const renewal = await genuine(() => seller.verifier.verifyAndDecodeRenewalInfo(renewalText));
      const status = z.enum(Status).safeParse(found.status);
      if (!latest || !renewal || !status.success)
        throw unavailable(new Error('the App Store answered what is not genuine'));
      const history = await Promise.all(
        (await seller.api.historyOf(original)).map((signed) => transactionOf(seller, signed)),
      );
      const own = history.flatMap((one) => (one?.originalTransactionId === original ? one : []));
      return {
        account: latest.appAccountToken,
        app: seller.app.app_id,
        product: latest.productId,
        phase: phases[status.data],
        started_at: new Date(latest.originalPurchaseDate),
        expires_at: endOf(status.data, latest, renewal),
        autorenew: renewal.autoRenewStatus === 1,
        isShared: latest.inAppOwnershipType === InAppOwnershipType.FAMILY_SHARED,
        currency: latest.currency,
        charges: own.map(chargeOf),
      };
    },
    notified: ({ body }) =>
      readable(async () => {
        const parsed = bodySchema.safeParse(parseJson(body));
        return parsed.success ? subjectOf(parsed.data.signedPayload) : undefined;
      }),
    async *missed(since, until) {
      for (const { api } of sellers)
        for await (const signed of api.failedNotifications(since, until)) {
          const reference = await readable(() => subjectOf(signed));
          if (reference) yield reference;
        }
    },
  };
}
