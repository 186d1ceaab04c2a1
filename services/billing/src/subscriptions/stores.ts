import { createGooglePlay } from '../stores/google-play/google-play.ts';
import type { GooglePlayOptions } from '../stores/google-play/google-play-apps.ts';
import { createAppStore } from '../stores/app-store/app-store.ts';
import type { AppStoreOptions } from '../stores/app-store/app-store-apps.ts';
import type { Store, StoreName } from '../stores/store.ts';

/** The stores of a deployment. */
export interface Stores {
  readonly all: readonly Store[];
  /** A listed store by name. */
  find(name: string): Store | undefined;
  /** The listed store that sells in apps of a platform. */
  forPlatform(platform: string | undefined): Store | undefined;
}

/** The access to each store. */
export interface StoreAccess {
  readonly app_store: AppStoreOptions;
  readonly google_play: GooglePlayOptions;
}

const makers: Readonly<Record<StoreName, (access: StoreAccess) => Store>> = {
  app_store: ({ app_store }) => createAppStore(app_store),
  google_play: ({ google_play }) => createGooglePlay(google_play),
};

/** Creates the listed stores. */
export const createStores = (listed: readonly StoreName[], access: StoreAccess): Stores =>
  storesOf(listed.map((name) => makers[name](access)));

/** Finds stores by name and platform. */
export const storesOf = (all: readonly Store[]): Stores => ({
  all,
  find: (name) => all.find((store) => store.name === name),
  forPlatform: (platform) =>
    all.find(({ platforms }) => platform !== undefined && platforms.includes(platform)),
});
