import { serviceUrl } from '@covalence/runtime/addresses';
import type { Clock } from '@covalence/runtime/clock';
import { integer, serviceConfig, settingAt, sitesFile, storesConfig } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readPackageData } from './prices/package-data.ts';
import { providerNames } from './payments/providers.ts';
import { appStoreApps, readCertificates } from './stores/app-store/app-store-apps.ts';
import { googlePlayApps } from './stores/google-play/google-play-apps.ts';
import { stripeKey, stripeWebhookSecrets } from './stores/stripe/stripe-settings.ts';
import type { StoreAccess } from './subscriptions/stores.ts';

/** The data that ships with the service; the path is the same from src and dist. */
const shippedData = fileURLToPath(new URL('../data', import.meta.url));

/** A comma-separated list of names of payment providers. */
const providers = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((name) => name.trim() || []))
  .pipe(z.array(z.enum(providerNames, `must be a list of these: ${providerNames.join(', ')}`)));

/** Another address of a store's API, for tests. */
const testAddress = (api: string, usual: string) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: `for tests: ${api}`, default: usual });

/** The environment of the billing service. */
const settings = z.object({
  ...serviceConfig,
  ...storesConfig,
  SITES_FILE: sitesFile,
  /** Inner address of the auth service, for its JWKS. */
  AUTH_URL: serviceUrl,
  /** Inner address of the profile service, whose records show memberships. */
  PROFILE_URL: serviceUrl,
  PACKAGES_DIR: settingAt(readPackageData).prefault(shippedData).meta({
    description: 'folder of packages, products and promo codes ([billing.md](billing.md))',
    default: 'shipped',
  }),
  PAYMENT_PROVIDERS: providers.describe(
    'comma-separated; the first takes new purchases; unlisted ones renew nothing',
  ),
  APP_STORE_APPS: appStoreApps
    .default([])
    .describe('apps of the App Store and the keys for its API, as JSON; required with `app_store`'),
  APP_STORE_API_URL: testAddress('the App Store Server API', 'Apple’s'),
  APP_STORE_ROOTS: settingAt(readCertificates)
    .optional()
    .meta({ description: 'for tests: PEM file of the root certificates', default: 'Apple’s' }),
  APP_STORE_ONLINE_CHECKS: z
    .stringbool()
    .default(true)
    .describe('asks Apple whether certificates are revoked'),
  GOOGLE_PLAY_APPS: googlePlayApps
    .default([])
    .describe('apps of Google Play and the accounts for its API, as JSON; required with `google_play`'),
  GOOGLE_PLAY_API_URL: testAddress('the API', 'Google’s'),
  STRIPE_SECRET_KEY: stripeKey.optional().describe('key of the Stripe account; required with `stripe`'),
  STRIPE_WEBHOOK_SECRETS: stripeWebhookSecrets
    .optional()
    .describe('signing secrets of the webhook endpoint, by commas; required with `stripe`'),
  STRIPE_PORTAL_CONFIGURATION: z
    .string()
    .regex(/^bpc_\w{1,255}$/)
    .optional()
    .meta({ description: 'settings of the customer portal', default: 'the account’s' }),
  STRIPE_AUTOMATIC_TAX: z
    .stringbool()
    .default(false)
    .describe('whether Stripe computes the tax that is in the prices; Stripe Tax must be set up'),
  STRIPE_API_URL: testAddress('the API', 'Stripe’s'),
  RECEIPT_POLICY: z
    .enum(['refuse', 'move'])
    .default('refuse')
    .describe('a receipt of another member’s subscription: `refuse` it, or `move` the subscription'),
  FAMILY_SHARING: z
    .stringbool()
    .default(false)
    .describe('whether members get what a store shares with their family'),
  ALLOW_SANDBOX_PAYMENTS: z
    .stringbool()
    .default(false)
    .describe('allows `sandbox` if NODE_ENV is `production`, where its memberships are free'),
  NODE_ENV: z.string().optional().describe('`production` in every image'),
  PAYMENT_WEBHOOK_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('signs webhooks of the sandbox, at least 32 characters; without it they are 404'),
  EXPIRY_POLL_MS: integer({ min: 50, standard: 10_000 }).describe(
    'interval of the jobs of memberships and stores',
  ),
});

type Settings = z.output<typeof settings>;

/** Whether members of a production system get memberships for free. */
export function isGivingAway({ NODE_ENV, PAYMENT_PROVIDERS }: Settings): boolean {
  return NODE_ENV === 'production' && PAYMENT_PROVIDERS.includes('sandbox');
}

/** Whether purchases of testers, which cost nothing, count in a production system. */
export function takesTesters({
  NODE_ENV,
  APP_STORE_APPS,
  GOOGLE_PLAY_APPS,
  STRIPE_SECRET_KEY = '',
}: Settings): boolean {
  const isTaken =
    APP_STORE_APPS.some(({ environment }) => environment === 'Sandbox') ||
    GOOGLE_PLAY_APPS.some(({ test_purchases }) => test_purchases) ||
    /^.k_test_/.test(STRIPE_SECRET_KEY);
  return NODE_ENV === 'production' && isTaken;
}

/** The environment of the billing service, checked as a whole. */
export const configSchema = settings
  .refine((config) => config.ALLOW_SANDBOX_PAYMENTS || !isGivingAway(config), {
    path: ['PAYMENT_PROVIDERS'],
    error:
      'sandbox takes no money: remove it, or set ALLOW_SANDBOX_PAYMENTS=true for a system without real members',
  })
  .superRefine((config, context) => {
    const listed = [
      ['app_store', 'APP_STORE_APPS', config.APP_STORE_APPS.map(({ app_id }) => app_id)],
      ['google_play', 'GOOGLE_PLAY_APPS', config.GOOGLE_PLAY_APPS.map(({ package_name }) => package_name)],
      ['stripe', 'PAYMENT_PROVIDERS', ['stripe']],
    ] as const;
    const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRETS: secrets } = config;
    const sold = new Set(config.PACKAGES_DIR.apps.map(({ app_id }) => app_id));
    if (config.PAYMENT_PROVIDERS.includes('stripe'))
      for (const [setting, value] of Object.entries({
        STRIPE_SECRET_KEY: key,
        STRIPE_WEBHOOK_SECRETS: secrets,
      }))
        if (!value) context.addIssue({ code: 'custom', path: [setting], message: 'stripe needs it' });
    for (const [store, setting, apps] of listed) {
      if (!config.PAYMENT_PROVIDERS.includes(store)) continue;
      // Without products every purchase would be refused after it was paid.
      const problems = apps.length
        ? apps.filter((app) => !sold.has(app)).map((app) => `${app} has no products in PACKAGES_DIR`)
        : [`${store} needs at least one app`];
      for (const message of problems) context.addIssue({ code: 'custom', path: [setting], message });
    }
  });

/** The checked configuration. */
export type Config = z.output<typeof configSchema>;

/** The access to stores by the configuration. */
export const accessOf = (config: Config, clock: Clock): StoreAccess => ({
  app_store: {
    apps: config.APP_STORE_APPS,
    ...(config.APP_STORE_ROOTS && { roots: config.APP_STORE_ROOTS }),
    apiUrl: config.APP_STORE_API_URL,
    onlineChecks: config.APP_STORE_ONLINE_CHECKS,
  },
  google_play: { apps: config.GOOGLE_PLAY_APPS, apiUrl: config.GOOGLE_PLAY_API_URL, clock },
  stripe: {
    secretKey: config.STRIPE_SECRET_KEY ?? '',
    webhookSecrets: config.STRIPE_WEBHOOK_SECRETS ?? [],
    portalConfiguration: config.STRIPE_PORTAL_CONFIGURATION,
    automaticTax: config.STRIPE_AUTOMATIC_TAX,
    apiUrl: config.STRIPE_API_URL,
    clock,
  },
});
