import { countryOfAlpha3 } from '@covalence/contract/catalogue/check-value';
import { utcDay } from '@covalence/contract/time';
import { jsonText } from '@covalence/runtime/json-text';
import { p256Key } from '@covalence/runtime/private-key';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { minorDigits } from '../ledger/money.ts';
import type { StoreProduct } from './store-product.ts';

const timeoutMs = 10_000;
const appleUrl = 'https://api.appstoreconnect.apple.com';

/** The setting: a key of App Store Connect as JSON, which may read apps. Its problems name fields, never a secret. */
export const connectKey = jsonText.pipe(
  z.strictObject({ issuer_id: z.string().min(1), key_id: z.string().min(1), key: p256Key }),
);

/** Access to App Store Connect; tests use another address. */
type ConnectOptions = z.output<typeof connectKey> & { readonly url?: string | undefined };

const links = z.object({ next: z.string().optional() });
const groups = z.object({ data: z.array(z.object({ id: z.string() })), links });
const subscriptions = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      attributes: z.object({
        productId: z.string(),
        state: z.string(),
        subscriptionPeriod: z.string().nullish(),
      }),
    }),
  ),
  links,
});
const related = z.object({ data: z.object({ id: z.string() }) });
const prices = z.object({
  data: z.array(
    z.object({
      attributes: z.object({ startDate: z.string().nullish(), preserved: z.boolean().nullish() }),
      relationships: z.object({ subscriptionPricePoint: related, territory: related }),
    }),
  ),
  included: z
    .array(
      z.object({
        id: z.string(),
        type: z.string(),
        attributes: z.object({ customerPrice: z.string().optional(), currency: z.string().optional() }),
      }),
    )
    .default([]),
  links,
});
type Prices = z.output<typeof prices>;

const periods: Readonly<Record<string, string>> = {
  ONE_WEEK: 'P1W',
  ONE_MONTH: 'P1M',
  TWO_MONTHS: 'P2M',
  THREE_MONTHS: 'P3M',
  SIX_MONTHS: 'P6M',
  ONE_YEAR: 'P1Y',
};

/** The price that new buyers pay today, by country: the latest that has begun. */
function currentPrices(pages: readonly Prices[], today: string): StoreProduct['prices'] {
  const included = new Map(
    pages.flatMap((page) => page.included.map(({ type, id, attributes }) => [`${type} ${id}`, attributes])),
  );
  const begun = pages
    .flatMap(({ data }) => data)
    .filter(({ attributes: { startDate, preserved } }) => !preserved && (startDate ?? '') <= today)
    .toSorted((a, b) => ((a.attributes.startDate ?? '') < (b.attributes.startDate ?? '') ? -1 : 1));
  return new Map(
    begun.flatMap(({ relationships: { subscriptionPricePoint: point, territory } }) => {
      const country = countryOfAlpha3(territory.data.id);
      const price = included.get(`subscriptionPricePoints ${point.data.id}`)?.customerPrice;
      const currency = included.get(`territories ${territory.data.id}`)?.currency;
      if (!country || price === undefined || currency === undefined) return [];
      return [[country, { amount: Math.round(Number(price) * 10 ** minorDigits(currency)), currency }]];
    }),
  );
}

/** Creates the calls of the App Store Connect API that are used. An error names the call and its status. */
function connectTo({ issuer_id, key_id, key, url = appleUrl }: ConnectOptions) {
  const token = new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: key_id, typ: 'JWT' })
    .setIssuer(issuer_id)
    .setIssuedAt()
    .setExpirationTime('10m')
    .setAudience('appstoreconnect-v1')
    .sign(key);

  /** Every page of a list. */
  return async <Page extends { readonly links: { readonly next?: string | undefined } }>(
    path: string,
    schema: z.ZodType<Page>,
  ): Promise<Page[]> => {
    const pages: Page[] = [];
    for (let next: string | undefined = path; next !== undefined; next = pages.at(-1)?.links.next) {
      // A next page is an absolute address: the token goes to Apple only.
      const address = new URL(next, url);
      const response = await fetch(new URL(`${address.pathname}${address.search}`, url), {
        headers: { Authorization: `Bearer ${await token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok)
        throw new Error(`App Store Connect answered ${response.status} to ${address.pathname}`);
      pages.push(schema.parse(await response.json()));
    }
    return pages;
  };
}

/** The subscriptions of an app of the App Store. Offers there are not named by package data. */
export async function appStoreProducts(app_id: string, options: ConnectOptions): Promise<StoreProduct[]> {
  const list = connectTo(options);
  const today = utcDay(new Date());
  const products: StoreProduct[] = [];
  const found = (await list(`/v1/apps/${app_id}/subscriptionGroups?limit=200`, groups)).flatMap(
    ({ data }) => data,
  );
  for (const group of found) {
    const pages = await list(`/v1/subscriptionGroups/${group.id}/subscriptions?limit=200`, subscriptions);
    for (const { id, attributes } of pages.flatMap(({ data }) => data)) {
      const query = 'include=subscriptionPricePoint,territory&limit=200';
      products.push({
        product_id: attributes.productId,
        isOnSale: attributes.state === 'APPROVED',
        period: periods[attributes.subscriptionPeriod ?? ''] ?? 'none',
        offers: [],
        prices: currentPrices(await list(`/v1/subscriptions/${id}/prices?${query}`, prices), today),
      });
    }
  }
  return products;
}
