import type { Output } from '@covalence/runtime/command';
import { readToolConfig } from '@covalence/runtime/config';
import { errorText } from '@covalence/runtime/error-text';
import { z } from 'zod';
import type { PackageData } from '../prices/package-data.ts';
import { appStoreApps } from '../stores/app-store/app-store-apps.ts';
import { createGooglePlayApi } from '../stores/google-play/google-play-api.ts';
import { googlePlayApps } from '../stores/google-play/google-play-apps.ts';
import { createStripeApi, type StripeApi } from '../stores/stripe/stripe-api.ts';
import { stripeKey } from '../stores/stripe/stripe-settings.ts';
import { stripeApp } from '../stores/stripe/stripe.ts';
import { stripeProducts } from './stripe-products.ts';
import { appStoreProducts, connectKey } from './app-store-products.ts';
import { googlePlayProducts } from './google-play-products.ts';
import { compareProducts, type Comparison, type StoreProduct } from './store-product.ts';

const settings = z.object({
  /** A key of App Store Connect that may read apps, as JSON; without it the App Store is not compared. */
  APP_STORE_CONNECT_KEY: connectKey.optional(),
  /** Address of App Store Connect, for tests; Apple's by default. */
  APP_STORE_CONNECT_URL: z.url({ protocol: /^https?$/ }).optional(),
  APP_STORE_APPS: appStoreApps.default([]),
  GOOGLE_PLAY_APPS: googlePlayApps.default([]),
  GOOGLE_PLAY_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_SECRET_KEY: stripeKey.optional(),
  STRIPE_AUTOMATIC_TAX: z.stringbool().default(false),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
});

/** An app whose store can be asked for its products. */
interface ComparedApp {
  readonly name: string;
  readonly app_id: string;
  readonly products: (data: PackageData) => Promise<StoreProduct[]>;
  /** Problems of the account beside its products. */
  readonly accountProblems?: () => Promise<string[]>;
}

/** Problems with the tax that Stripe is to compute; no payment page opens without it. */
const taxProblems = async (api: StripeApi): Promise<string[]> =>
  (await api.isTaxSetUp()) ? [] : ['STRIPE_AUTOMATIC_TAX is on, and Stripe Tax is not set up in the account'];

function comparedApps(environment: NodeJS.ProcessEnv): ComparedApp[] {
  const config = readToolConfig(settings, environment);
  const { APP_STORE_CONNECT_KEY: connect, APP_STORE_CONNECT_URL: url, GOOGLE_PLAY_API_URL } = config;
  const apple = [...new Set(config.APP_STORE_APPS.map(({ app_id }) => app_id))];
  const appleApps =
    connect &&
    apple.map((app_id) => ({
      name: `app_store ${app_id}`,
      app_id,
      products: () => appStoreProducts(app_id, { ...connect, url }),
    }));
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = config;
  const stripeApi = secretKey === undefined ? undefined : createStripeApi({ secretKey, apiUrl });
  const stripe = stripeApi && {
    name: 'stripe',
    app_id: stripeApp,
    products: (data: PackageData) => stripeProducts(data, stripeApp, stripeApi),
    ...(config.STRIPE_AUTOMATIC_TAX && { accountProblems: () => taxProblems(stripeApi) }),
  };
  return [
    ...(stripe ? [stripe] : []),
    ...(appleApps ?? []),
    ...config.GOOGLE_PLAY_APPS.map((app) => ({
      name: `google_play ${app.package_name}`,
      app_id: app.package_name,
      products: () => googlePlayProducts(createGooglePlayApi(app, GOOGLE_PLAY_API_URL)),
    })),
  ];
}

/** Compares the products of each app whose store's key the environment has, and prints what differs. */
export async function compareWithStores(data: PackageData, environment: NodeJS.ProcessEnv, output: Output) {
  const compared: (Comparison & { readonly app: string })[] = [];
  for (const { name, app_id, products, accountProblems } of comparedApps(environment)) {
    const compare = async () => {
      const sold = await products(data);
      const { problems, differences } = compareProducts(data, app_id, sold);
      return {
        problems: [...problems, ...((await accountProblems?.()) ?? [])],
        differences,
        count: sold.length,
      };
    };
    const { problems, differences, count } = await compare().catch((error: unknown) => ({
      problems: [`the products could not be read: ${errorText(error)}`],
      differences: [],
      count: 0,
    }));
    for (const problem of problems) output.problem(`${name}: ${problem}`);
    for (const difference of differences) output.line(`${name}: ${difference}`);
    if (problems.length === 0) output.line(`${name}: ${count} subscriptions compared`);
    compared.push({ app: name, problems, differences });
  }
  return compared;
}
