import { androidpublisher, type androidpublisher_v3 } from '@googleapis/androidpublisher';
import { unavailable } from '@covalence/contract/failure';
import { chunks } from '@covalence/runtime/chunks';
import { JWT } from 'google-auth-library';
import type { GooglePlayApp } from './google-play-apps.ts';

/** The state of a purchase. */
export type PlayPurchase = androidpublisher_v3.Schema$SubscriptionPurchaseV2;
/** A subscription product with its base plans. */
export type PlaySubscription = androidpublisher_v3.Schema$Subscription;
/** An offer of a base plan. */
export type PlayOffer = androidpublisher_v3.Schema$SubscriptionOffer;
/** One charge. */
export type PlayOrder = androidpublisher_v3.Schema$Order;

const timeoutMs = 5_000;
const tokenUrl = 'https://oauth2.googleapis.com/token';
const scopes = ['https://www.googleapis.com/auth/androidpublisher'];
/** Pages of voided purchases, of up to 1,000 entries. */
const mostPages = 100;
const ordersAtOnce = 100;

/** Answers for a purchase or order that Google does not know, or no longer. */
const unknown: readonly unknown[] = [400, 404, 410];

/** The answer; any error means that the store is unavailable. */
const answerOf = async <Result>(call: () => Promise<{ readonly data: Result }>): Promise<Result> => {
  try {
    return (await call()).data;
  } catch (error) {
    throw unavailable(error);
  }
};

/** The items of all pages. */
async function allPages<Item>(
  read: (page: { pageToken?: string }) => Promise<{ items: Item[]; next: string | null | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let page: { pageToken?: string } = {};
  for (let count = 0; count < mostPages; count += 1) {
    const { items, next } = await read(page);
    all.push(...items);
    if (!next) break;
    page = { pageToken: next };
  }
  return all;
}

/** Creates the calls of the Google Play Developer API that are used, for one app. */
export function createGooglePlayApi(
  { package_name: packageName, client_email, private_key }: GooglePlayApp,
  apiUrl: string | undefined,
) {
  const auth = new JWT({
    email: client_email,
    key: private_key,
    scopes,
    transporterOptions: {
      timeout: timeoutMs,
      // The library has one address for access tokens.
      ...(apiUrl !== undefined && {
        fetchImplementation: (url: unknown, init?: RequestInit) =>
          fetch(String(url) === tokenUrl ? `${apiUrl}/token` : String(url), init),
      }),
    },
  });
  const { monetization, purchases, orders } = androidpublisher({
    version: 'v3',
    auth,
    timeout: timeoutMs,
    retry: false,
    ...(apiUrl !== undefined && { rootUrl: `${apiUrl}/` }),
  });

  /** Undefined where Google does not know what is asked for. */
  const unlessUnknown = async <Result>(
    call: () => Promise<{ readonly data: Result }>,
  ): Promise<Result | undefined> => {
    // Apart from the call, because a refused key is 400, too.
    await answerOf(async () => ({ data: await auth.getAccessToken() }));
    try {
      return (await call()).data;
    } catch (error) {
      if (error instanceof Error && 'status' in error && unknown.includes(error.status)) return undefined;
      throw unavailable(error);
    }
  };
  const order = (orderId: string) => unlessUnknown(() => orders.get({ packageName, orderId }));

  return {
    /** Every subscription product of the app. */
    subscriptions: (): Promise<PlaySubscription[]> =>
      allPages(async (pageToken) => {
        const { data } = await monetization.subscriptions.list({
          packageName,
          pageSize: 1_000,
          ...pageToken,
        });
        return { items: data.subscriptions ?? [], next: data.nextPageToken };
      }),
    /** Every offer of the app. */
    offers: (): Promise<PlayOffer[]> =>
      allPages(async (pageToken) => {
        const every = { packageName, productId: '-', basePlanId: '-' };
        const { data } = await monetization.subscriptions.basePlans.offers.list({ ...every, ...pageToken });
        return { items: data.subscriptionOffers ?? [], next: data.nextPageToken };
      }),
    purchase: (token: string): Promise<PlayPurchase | undefined> =>
      unlessUnknown(() => purchases.subscriptionsv2.get({ packageName, token })),
    /** Orders by id; those that Google does not know are left out, of which one makes the whole batch fail. */
    async orders(orderIds: readonly string[]): Promise<PlayOrder[]> {
      const all: PlayOrder[] = [];
      for (const some of chunks(orderIds, ordersAtOnce)) {
        const found = await unlessUnknown(() => orders.batchget({ packageName, orderIds: [...some] }));
        if (found) all.push(...(found.orders ?? []));
        else for (const id of some) all.push(...[(await order(id)) ?? []].flat());
      }
      return all;
    },
    /** Google refunds a purchase that is not acknowledged within three days. */
    async acknowledge(token: string, subscriptionId: string): Promise<void> {
      await answerOf(() =>
        purchases.subscriptions.acknowledge({ packageName, token, subscriptionId, requestBody: {} }),
      );
    },
    /** Tokens of purchases that were refunded, charged back or revoked since a time. An end later than Google's clock is refused. */
    async *voided(since: Date): AsyncGenerator<string> {
      const range = { packageName, type: 1, startTime: `${since.getTime()}` };
      let token: string | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        const answer: androidpublisher_v3.Schema$VoidedPurchasesListResponse = await answerOf(() =>
          purchases.voidedpurchases.list({ ...range, ...(token !== undefined && { token }) }),
        );
        for (const { purchaseToken } of answer.voidedPurchases ?? []) if (purchaseToken) yield purchaseToken;
        token = answer.tokenPagination?.nextPageToken ?? undefined;
        if (token === undefined) return;
      }
    },
  };
}

/** The calls for one app. */
export type GooglePlayApi = ReturnType<typeof createGooglePlayApi>;
