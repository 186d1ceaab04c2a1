import { testServiceKeys } from '@covalence/testing/service-tokens';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { configSchema, takesTesters } from '../../src/config.ts';

const pem = (type: 'ec' | 'rsa') => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};

/** An app of the packages that ship with the service. */
const apple = {
  app_id: '1500000001',
  bundle_id: 'com.covalence.ios',
  issuer_id: 'issuer',
  key_id: 'key',
  key: pem('ec'),
};
const google = {
  package_name: 'com.covalence.app',
  client_email: 'play@example.iam.gserviceaccount.com',
  private_key: pem('rsa'),
  push_audience: 'https://api.example/packages/webhook/google_play',
  push_email: 'push@example.iam.gserviceaccount.com',
};

const settings = {
  PORT: '3000',
  MANAGEMENT_PORT: '9090',
  ...testServiceKeys('billing'),
  SITES_FILE: 'config/sites.json',
  PUBLIC_URL: 'https://api.example',
  AUTH_URL: 'http://auth:3000',
  PROFILE_URL: 'http://profile:3000',
  MONGODB_URL: 'mongodb://mongodb:27017',
  RABBITMQ_URL: 'amqp://rabbitmq:5672',
};

/** The problems of the settings, as `path: message`. */
const problemsOf = (more: object) =>
  (configSchema.safeParse({ ...settings, ...more }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
const appStore = (...apps: readonly object[]) => ({
  PAYMENT_PROVIDERS: 'app_store',
  APP_STORE_APPS: JSON.stringify(apps),
});
const googlePlay = (...apps: readonly object[]) => ({
  PAYMENT_PROVIDERS: 'google_play',
  GOOGLE_PLAY_APPS: JSON.stringify(apps),
});

const stripe = (more: object = {}) => ({
  PAYMENT_PROVIDERS: 'stripe',
  STRIPE_SECRET_KEY: `rk_live_${'x'.repeat(24)}`,
  STRIPE_WEBHOOK_SECRETS: `whsec_${'x'.repeat(32)}, whsec_${'y'.repeat(32)}`,
  ...more,
});

const isWarned = (more: object) =>
  takesTesters(configSchema.parse({ ...settings, NODE_ENV: 'production', ...more }));

describe('the settings of stores', () => {
  it('are complete with an app, its key and its products', () => {
    expect(problemsOf(appStore(apple))).toEqual([]);
    expect(problemsOf(googlePlay(google))).toEqual([]);
    expect(problemsOf(stripe())).toEqual([]);
  });

  it('are refused without an app, and with an app that has no products', () => {
    expect(problemsOf(appStore())).toEqual(['APP_STORE_APPS: app_store needs at least one app']);
    expect(problemsOf(googlePlay())).toEqual(['GOOGLE_PLAY_APPS: google_play needs at least one app']);
    expect(problemsOf(appStore({ ...apple, app_id: '42' }))).toEqual([
      'APP_STORE_APPS: 42 has no products in PACKAGES_DIR',
    ]);
    expect(problemsOf(googlePlay({ ...google, package_name: 'com.other' }))).toEqual([
      'GOOGLE_PLAY_APPS: com.other has no products in PACKAGES_DIR',
    ]);
    expect(problemsOf({ PAYMENT_PROVIDERS: 'stripe' })).toEqual([
      'STRIPE_SECRET_KEY: stripe needs it',
      'STRIPE_WEBHOOK_SECRETS: stripe needs it',
    ]);
  });

  it('are refused with a line that does not quote a secret', () => {
    const secret = pem('rsa').replaceAll('A', 'B');
    const problems = [
      ...problemsOf(appStore({ ...apple, key: secret })),
      ...problemsOf(googlePlay({ ...google, private_key: secret.slice(0, 200) })),
      ...problemsOf({ PAYMENT_PROVIDERS: 'app_store', APP_STORE_APPS: `[{ ${secret}` }),
      ...problemsOf(stripe({ STRIPE_SECRET_KEY: 'pk_live_public', STRIPE_WEBHOOK_SECRETS: 'secret' })),
    ];
    expect(problems).toEqual([
      'APP_STORE_APPS.0.key: must be a private key of the curve P-256 in PEM',
      'GOOGLE_PLAY_APPS.0.private_key: must be a private key in PEM',
      'APP_STORE_APPS: must be JSON',
      'STRIPE_SECRET_KEY: must be a secret or restricted key of Stripe',
      'STRIPE_WEBHOOK_SECRETS.0: must be signing secrets of Stripe, by commas',
    ]);
  });

  it('get a warning where purchases of testers count in production', () => {
    expect(isWarned(appStore(apple))).toBe(false);
    expect(isWarned(appStore(apple, { ...apple, environment: 'Sandbox' }))).toBe(true);
    expect(isWarned(googlePlay({ ...google, test_purchases: true }))).toBe(true);
    expect(isWarned(stripe())).toBe(false);
    expect(isWarned(stripe({ STRIPE_SECRET_KEY: `sk_test_${'x'.repeat(24)}` }))).toBe(true);
  });
});
