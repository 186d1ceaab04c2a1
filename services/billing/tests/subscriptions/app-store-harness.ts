import { startAppStore, type AppStorePurchase } from '@covalence/fakes/app-store';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { startService, type ServiceOptions } from '../harness.ts';

/** The app of the test data. */
const iosApp = { appId: '1500000001', bundleId: 'com.test.ios' };

/** A service that takes purchases of an App Store on loopback. */
export async function startWithAppStore(suite: string, options: ServiceOptions = {}) {
  const { clock = { now: new Date('2026-06-15T12:00:00Z') } } = options;
  const store = await startAppStore({ ...iosApp, clock: () => clock.now });
  const app = {
    app_id: iosApp.appId,
    bundle_id: iosApp.bundleId,
    environment: 'Production' as const,
    ...store.access,
    key: createPrivateKey(store.access.key),
  };
  const billing = await startService(suite, {
    ...options,
    clock,
    config: {
      PAYMENT_PROVIDERS: ['sandbox', 'app_store'],
      APP_STORE_APPS: [app],
      APP_STORE_ROOTS: [new X509Certificate(store.root).raw],
      APP_STORE_API_URL: store.url,
      ...options.config,
    },
  });
  const product = { package_id: 1, rate_id: 11 };
  const inApp = { app_platform: 'app_ios', app_id: iosApp.appId };

  return {
    ...billing,
    store,
    /** The app as the setting has it. */
    app,
    /** The token by which the store names a member. */
    async token(id: number): Promise<string> {
      return String((await billing.own(id)).account_token);
    },
    /** Buys in the app, as a member who is named unless `account` says otherwise. */
    async buy(id: number, purchase: Partial<AppStorePurchase> = {}): Promise<string> {
      return store.buy({ product: 'ios.1', account: await this.token(id), ...purchase });
    },
    /** POST /packages/purchase with a receipt. */
    purchase: (id: number, receipt: string, body: object = {}) =>
      billing.post('/packages/purchase', { ...product, ...inApp, receipt, ...body }, { id }),
    restore: (id: number, receipts: readonly string[]) =>
      billing.post('/packages/restore', { app_platform: 'app_ios', receipts }, { id }),
    /** Delivers the last notification, or one of them. */
    deliver: (notice = store.notices.at(-1)) => billing.notify('app_store', notice?.body ?? {}),
    async closeAll() {
      await billing.close();
      await store.close();
    },
  };
}

/** The running service of a suite. */
export type AppStoreBilling = Awaited<ReturnType<typeof startWithAppStore>>;
