import { unavailable } from '@covalence/contract/failure';
import { jsonText } from '@covalence/runtime/json-text';
import { systemClock } from '@covalence/runtime/clock';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { productIdOf } from '../../prices/package-data.ts';
import type { Store, StoreNotification } from '../store.ts';
import { createGooglePlayApi } from './google-play-api.ts';
import type { GooglePlayApp, GooglePlayOptions } from './google-play-apps.ts';
import { orderIdsOf, playState } from './play-state.ts';

const tokenPattern = /^[\w.-]{20,512}$/;

/** The body that Pub/Sub posts: the notification is text in base64. */
const envelopeSchema = jsonText.pipe(z.object({ message: z.object({ data: z.base64().max(20_000) }) }));

const named = z.object({ purchaseToken: z.string().regex(tokenPattern) });

/** A real-time developer notification: of a subscription or a voided purchase; any other names none. */
const notificationSchema = jsonText.pipe(
  z.object({
    packageName: z.string(),
    subscriptionNotification: named.optional(),
    voidedPurchaseNotification: named.optional(),
  }),
);

/** Errors of a token that is not Google's, of another audience or expired; any other means that its keys are away. */
const forgeries = [
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JOSEAlgNotAllowed,
];

/** An app with the calls of its API. */
interface Seller {
  readonly app: GooglePlayApp;
  readonly api: ReturnType<typeof createGooglePlayApi>;
}

const issuers = ['https://accounts.google.com', 'accounts.google.com'];

/** Names a subscription across apps. */
const referenceOf = ({ package_name }: GooglePlayApp, token: string) => `${package_name}:${token}`;

/** Google Play, by the Google Play Developer API and real-time developer notifications that Pub/Sub pushes. */
export function createGooglePlay({ apps, apiUrl, clock = systemClock }: GooglePlayOptions): Store {
  const sellers = new Map<string, Seller>(
    apps.map((app) => [app.package_name, { app, api: createGooglePlayApi(app, apiUrl) }]),
  );
  const keysUrl = apiUrl === undefined ? 'https://www.googleapis.com/oauth2/v3/certs' : `${apiUrl}/certs`;
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: 5_000 });

  /** Whether Pub/Sub sent a notification in the name of an app's account. */
  const isFromPubSub = async ({ header }: StoreNotification, app: GooglePlayApp): Promise<boolean> => {
    const [, token] = /^Bearer (\S+)$/i.exec(header('Authorization') ?? '') ?? [];
    if (token === undefined) return false;
    try {
      const options = { issuer: issuers, audience: app.push_audience, algorithms: ['RS256'] };
      const { payload } = await jwtVerify(token, keys, options);
      return payload['email'] === app.push_email && payload['email_verified'] === true;
    } catch (error) {
      if (forgeries.some((one) => error instanceof one)) return false;
      throw unavailable(error);
    }
  };

  const purchaseOf = async (reference: string) => {
    const [packageName = '', token = ''] = reference.split(':');
    const seller = sellers.get(packageName);
    const purchase = seller && (await seller.api.purchase(token));
    if (!purchase || (purchase.testPurchase && !seller.app.test_purchases)) return undefined;
    return { ...seller, purchase, token };
  };

  const missedOf = async function* ({ app, api }: Seller, since: Date): AsyncGenerator<string> {
    for await (const token of api.voided(since)) yield referenceOf(app, token);
  };

  return {
    name: 'google_play',
    platforms: ['app_android', 'twa'],
    manageUrl: 'https://play.google.com/store/account/subscriptions',
    read(receipt, app_id) {
      const seller = sellers.get(app_id ?? '');
      const isToken = seller !== undefined && tokenPattern.test(receipt);
      return Promise.resolve(isToken ? referenceOf(seller.app, receipt) : undefined);
    },
    async ask(reference) {
      const found = await purchaseOf(reference);
      if (!found) return undefined;
      const { app, api, purchase, token } = found;
      const ids = orderIdsOf(purchase);
      const orders = ids.length ? await api.orders(ids) : [];
      return playState(app.package_name, purchase, orders, token, clock());
    },
    async finish(reference, product) {
      const [packageName = '', token = ''] = reference.split(':');
      await sellers.get(packageName)?.api.acknowledge(token, productIdOf(product));
    },
    async notified(notification) {
      const envelope = envelopeSchema.safeParse(notification.body.toString('utf8'));
      if (!envelope.success) return undefined;
      const text = Buffer.from(envelope.data.message.data, 'base64').toString('utf8');
      const parsed = notificationSchema.safeParse(text);
      const seller = parsed.success ? sellers.get(parsed.data.packageName) : undefined;
      if (!parsed.success || !seller || !(await isFromPubSub(notification, seller.app))) return undefined;
      const { subscriptionNotification, voidedPurchaseNotification } = parsed.data;
      const about = subscriptionNotification ?? voidedPurchaseNotification;
      return about ? referenceOf(seller.app, about.purchaseToken) : null;
    },
    missed: (since) => [...sellers.values()].map((seller) => missedOf(seller, since)),
  };
}
