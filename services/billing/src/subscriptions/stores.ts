import type { Metrics } from '@covalence/runtime/metrics';
import { createGooglePlay } from '../stores/google-play/google-play.ts';
import type { GooglePlayOptions } from '../stores/google-play/google-play-apps.ts';
import { createStripe } from '../stores/stripe/stripe.ts';
import type { StripeOptions } from '../stores/stripe/stripe-settings.ts';
import { createAppStore } from '../stores/app-store/app-store.ts';
import type { AppStoreOptions } from '../stores/app-store/app-store-apps.ts';
import type { App } from '../prices/offers.ts';
import type { Platform } from '../prices/package-data.ts';
import type { Store, StoreName } from '../stores/store.ts';

/** The stores of a deployment. */
export interface Stores {
  readonly all: readonly Store[];
  /** A listed store by name. */
  find(name: string): Store | undefined;
  /** The app that a request is about: on the web that of the store there, undefined without one. */
  appOf(app: App | undefined): App | undefined;
  /** The listed store that sells on a platform. */
  forPlatform(platform: Platform): Store | undefined;
}

/** The access to each store. */
export interface StoreAccess {
  readonly app_store: AppStoreOptions;
  readonly google_play: GooglePlayOptions;
  readonly stripe: StripeOptions;
}

const makers: Readonly<Record<StoreName, (access: StoreAccess) => Store>> = {
  app_store: ({ app_store }) => createAppStore(app_store),
  google_play: ({ google_play }) => createGooglePlay(google_play),
  stripe: ({ stripe }) => createStripe(stripe),
};

/**
 * A store of which each receipt and notification that could not be checked counts as a failed query, and each notification that is
 * not genuine or of an unknown app as refused.
 */
function withMetrics(store: Store, { storeAnswers }: Metrics): Store {
  const count = (outcome: string) => storeAnswers.inc({ store: store.name, outcome });
  const failed = (error: unknown): never => {
    count('failed');
    throw error;
  };
  return {
    ...store,
    ...(store.read && {
      read: async (receipt, app_id) => store.read?.(receipt, app_id).catch(failed),
    }),
    async notified(notification) {
      const reference = await store.notified(notification).catch(failed);
      if (reference === undefined) count('refused');
      return reference;
    },
  };
}

/** Creates the listed stores. */
export function createStores(listed: readonly StoreName[], access: StoreAccess, metrics: Metrics): Stores {
  const all = listed.map((name) => withMetrics(makers[name](access), metrics));
  const forPlatform = (platform: Platform) => all.find(({ platforms }) => platforms.includes(platform));
  const shop = forPlatform('web')?.web;
  return {
    all,
    find: (name) => all.find((store) => store.name === name),
    appOf: (app) => app ?? (shop && { app_id: shop.app, app_platform: 'web', version: 0 }),
    forPlatform,
  };
}
