import {
  Environment,
  InAppOwnershipType,
  RevocationType,
  SignedDataVerifier,
  Status,
  Type,
  VerificationException,
  VerificationStatus,
  type JWSRenewalInfoDecodedPayload,
} from '@apple/app-store-server-library';
import { unavailable } from '@covalence/contract/failure';
import { jsonText } from '@covalence/runtime/json-text';
import { z } from 'zod';
import { divideRounded, minorDigits, type Money } from '../../ledger/money.ts';
import type { Store, StoreCharge, StoreState } from '../store.ts';
import { createAppStoreApi } from './app-store-api.ts';
import { appleRoots, type AppStoreApp, type AppStoreOptions } from './app-store-apps.ts';
import { isIrrelevant } from './notification-types.ts';

/** The fields of a transaction that are used. The library checks the signature, the app and the environment, and only types. */
const transactionSchema = z.object({
  originalTransactionId: z.string().regex(/^\d{1,32}$/),
  transactionId: z.string().regex(/^\d{1,32}$/),
  productId: z.string().min(1),
  purchaseDate: z.number(),
  originalPurchaseDate: z.number(),
  expiresDate: z.number(),
  type: z.literal(Type.AUTO_RENEWABLE_SUBSCRIPTION),
  appAccountToken: z.string().max(64).optional(),
  isUpgraded: z.boolean().default(false),
  revocationType: z.string().optional(),
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

const bodySchema = jsonText.pipe(z.object({ signedPayload: z.string().max(60_000) }));

/** Longest check of a signature, ms: it may ask Apple whether a certificate is revoked. */
const checkMs = 5_000;

/** Undefined for a text that Apple did not sign for a listed app, or that is about something else. */
async function genuine<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(unavailable(new Error('checking a signature took too long'))),
    checkMs,
  );
  try {
    return await Promise.race([check(), late.promise]);
  } catch (error) {
    if (error instanceof VerificationException) {
      if (error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE) throw unavailable(error);
      return undefined;
    }
    if (error instanceof z.ZodError) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const transactionOf = ({ verifier }: Seller, signed: string) =>
  genuine(async () => transactionSchema.parse(await verifier.verifyAndDecodeTransaction(signed)));

const minorOf = (thousandths: number, currency: string): Money =>
  divideRounded(thousandths, 10 ** (3 - minorDigits(currency)));

/** The refunded part of a price; none if Apple does not report the share of an upgraded purchase. */
function refundOf(one: Transaction, amount: Money): StoreCharge['refund'] {
  const { revocationDate, revocationPercentage, revocationType, isUpgraded } = one;
  if (revocationDate === undefined || revocationType === RevocationType.FAMILY_REVOKE) return undefined;
  const isWhole =
    revocationType === RevocationType.REFUND_FULL || (revocationType === undefined && !isUpgraded);
  const share = revocationPercentage ?? (isWhole ? 100_000 : 0);
  return share ? { amount: divideRounded(amount * share, 100_000), at: new Date(revocationDate) } : undefined;
}

/** The charge of a transaction; none for what another person of the family has paid. */
function chargeOf(one: Transaction): StoreCharge | undefined {
  if (one.inAppOwnershipType === InAppOwnershipType.FAMILY_SHARED) return undefined;
  const amount = minorOf(one.price, one.currency);
  const refund = refundOf(one, amount);
  const { transactionId: id, productId: product, currency } = one;
  return { id, product, amount, currency, at: new Date(one.purchaseDate), ...(refund && { refund }) };
}

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

/** Names of the environments of the setting, as Apple has them. */
const environments = { Production: Environment.PRODUCTION, Sandbox: Environment.SANDBOX } as const;

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
  const verifierOf = ({ bundle_id, app_id }: AppStoreApp, environment: Environment) =>
    new SignedDataVerifier([...roots], onlineChecks, environment, bundle_id, Number(app_id));
  const sellers = apps.map((app): Seller => ({
    app,
    verifier: verifierOf(app, environments[app.environment]),
    api: createAppStoreApi(app, apiUrl),
  }));
  const testers = new Set(
    apps.filter(({ environment }) => environment === 'Sandbox').map(({ bundle_id }) => bundle_id),
  );
  const unlisted = apps
    .filter(({ bundle_id }) => !testers.has(bundle_id))
    .map((app) => verifierOf(app, Environment.SANDBOX));
  /** The subscription of a notification, null if it is about none, undefined if it is not genuine. */
  const subjectOf = async (signed: string): Promise<string | null | undefined> => {
    for (const seller of sellers) {
      const notification = await genuine(() => seller.verifier.verifyAndDecodeNotification(signed));
      if (!notification) continue;
      const text = notification.data?.signedTransactionInfo;
      if (text === undefined || isIrrelevant(notification.notificationType)) return null;
      const transaction = await transactionOf(seller, text);
      return transaction ? referenceOf(seller.app, transaction.originalTransactionId) : null;
    }
    // Apple is given an address for testers, too: a notification of theirs changes nothing where they are not listed.
    for (const verifier of unlisted)
      if (await genuine(() => verifier.verifyAndDecodeNotification(signed))) return null;
    return undefined;
  };

  const missedOf = async function* ({ api }: Seller, since: Date, until: Date): AsyncGenerator<string> {
    for await (const signed of api.failedNotifications(since, until)) {
      const reference = await subjectOf(signed);
      if (reference) yield reference;
    }
  };

  return {
    name: 'app_store',
    platforms: ['app_ios'],
    manageUrl: 'https://apps.apple.com/account/subscriptions',
    async read(receipt) {
      for (const seller of sellers) {
        const transaction = await transactionOf(seller, receipt);
        if (transaction) return referenceOf(seller.app, transaction.originalTransactionId);
      }
      return undefined;
    },
    async ask(reference) {
      const [bundleId, environment, original = ''] = reference.split(':');
      const seller = sellers.find(({ app }) => app.bundle_id === bundleId && app.environment === environment);
      if (!seller) return undefined;
      const found = await seller.api.statusOf(original);
      if (!found?.signedTransactionInfo || !found.signedRenewalInfo) return undefined;
      const latest = await transactionOf(seller, found.signedTransactionInfo);
      const renewalText = found.signedRenewalInfo;
      const renewal = await genuine(() => seller.verifier.verifyAndDecodeRenewalInfo(renewalText));
      const status = z.enum(Status).safeParse(found.status);
      if (!latest || !renewal || !status.success)
        throw unavailable(new Error('the App Store returned data with an invalid signature'));
      const history = await Promise.all(
        (await seller.api.historyOf(original)).map((signed) => transactionOf(seller, signed)),
      );
      const charges = history.flatMap(
        (one) => (one?.originalTransactionId === original && chargeOf(one)) || [],
      );
      return {
        account: latest.appAccountToken,
        app: seller.app.app_id,
        product: latest.productId,
        next: renewal.autoRenewProductId,
        phase: phases[status.data],
        started_at: new Date(latest.originalPurchaseDate),
        expires_at: endOf(status.data, latest, renewal),
        autorenew: renewal.autoRenewStatus === 1,
        isShared: latest.inAppOwnershipType === InAppOwnershipType.FAMILY_SHARED,
        isTest: seller.app.environment === 'Sandbox',
        currency: latest.currency,
        charges,
      };
    },
    async notified({ body }) {
      const { data } = bodySchema.safeParse(body.toString('utf8'));
      return data && subjectOf(data.signedPayload);
    },
    missed: (since, until) => sellers.map((seller) => missedOf(seller, since, until)),
  };
}
