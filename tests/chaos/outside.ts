import { startApns } from '@covalence/fakes/apns';
import { startAppStore, type AppStore } from '@covalence/fakes/app-store';
import { startFcm } from '@covalence/fakes/fcm';
import { startGooglePlay, type GooglePlay } from '@covalence/fakes/google-play';
import { writePushApps } from '@covalence/fakes/push-apps';
import { startStripe } from '@covalence/fakes/stripe';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const offer = { package_id: 1, rate_id: 101 };

/** Products of the packages that ship with the service: in two apps and on the web by Stripe. */
export const sold = {
  play: { app: { app_platform: 'app_android', app_id: 'com.covalence.app' }, product: 'platinum_1_month' },
  appStore: {
    app: { app_platform: 'app_ios', app_id: '1500000001' },
    bundleId: 'com.covalence.app',
    product: 'covalence.platinum.1month',
  },
  stripe: { product: 'covalence_platinum_1_month' },
  offer,
} as const;

/** A store that sells in an app. */
export interface InAppStore {
  /** The purchase, as POST /packages/purchase takes it. */
  readonly order: object;
  /** Buys for an account; resolves with the name of the subscription. */
  buy(account: string): Promise<string>;
  /** The receipt that the app gets. */
  receipt(subscription: string): Promise<string>;
  refund(subscription: string): Promise<void>;
  /** The store's newest request about a subscription. */
  notification(subscription: string): Promise<{
    readonly path: string;
    readonly json: object;
    readonly headers?: Readonly<Record<string, string>>;
  }>;
}

const newest = <Notice>(notices: readonly Notice[], isWanted: (notice: Notice) => boolean): Notice => {
  const notice = notices.findLast(isWanted);
  if (!notice) throw new Error('the store says nothing of a purchase');
  return notice;
};

const inPlay = (play: GooglePlay): InAppStore => ({
  order: { ...offer, ...sold.play.app },
  buy: (account) => Promise.resolve(play.buy({ product: sold.play.product, account })),
  receipt: (token) => Promise.resolve(token),
  refund: (token) => Promise.resolve(play.refund(token)),
  async notification(subscription) {
    const notice = newest(play.notices, ({ token }) => token === subscription);
    const { authorization, body } = await play.pushOf(notice);
    return {
      path: '/packages/webhook/google_play',
      json: body,
      headers: { Authorization: authorization },
    };
  },
});

const inAppStore = (store: AppStore): InAppStore => ({
  order: { ...offer, ...sold.appStore.app },
  buy: (account) => store.buy({ product: sold.appStore.product, account }),
  receipt: (original) => store.receipt(original),
  refund: (original) => store.refund(original),
  notification(subscription) {
    const { body } = newest(store.notices, ({ original }) => original === subscription);
    return Promise.resolve({ path: '/packages/webhook/app_store', json: body });
  },
});

/** Services outside of the system: the push services and stores of Apple and Google, and Stripe. */
export type Outside = Awaited<ReturnType<typeof startOutside>>;

const clock = () => new Date();

/** Starts what is outside, on loopback. */
export async function startOutside() {
  const { appStore: inIos } = sold;
  const [apns, fcm, appStore, play, stripe] = await Promise.all([
    startApns(),
    startFcm(),
    startAppStore({ appId: inIos.app.app_id, bundleId: inIos.bundleId, clock }),
    startGooglePlay({ packageName: sold.play.app.app_id, clock }),
    startStripe(clock, [sold.stripe.product]),
  ]);
  const apps = await writePushApps({ apns, fcm });
  const roots = join(dirname(apps.file), 'roots.pem');
  await writeFile(roots, appStore.root);
  const stores = [appStore, play, stripe];
  const failStores = (fault: 'away' | 'slow' | undefined) => {
    for (const store of stores) store.failWith(fault);
  };
  return {
    apns,
    fcm,
    play,
    stripe,
    /** The stores that sell in apps. */
    inApps: [inPlay(play), inAppStore(appStore)],
    /** The settings of the services that ask it. */
    settings: {
      ...apps.settings,
      PAYMENT_PROVIDERS: 'app_store,google_play,stripe',
      APP_STORE_APPS: JSON.stringify([
        {
          app_id: inIos.app.app_id,
          bundle_id: inIos.bundleId,
          environment: 'Production',
          ...appStore.access,
        },
      ]),
      APP_STORE_ROOTS: roots,
      APP_STORE_API_URL: appStore.url,
      APP_STORE_ONLINE_CHECKS: 'false',
      GOOGLE_PLAY_APPS: JSON.stringify([play.app]),
      GOOGLE_PLAY_API_URL: play.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
    /** The stores take requests and answer none, or answer again. */
    silent(isSilent: boolean): void {
      failStores(isSilent ? 'slow' : undefined);
    },
    /** Takes away what a service asks, or brings it back. */
    away(asks: 'updates' | 'billing', isAway: boolean): void {
      if (asks === 'billing') {
        failStores(isAway ? 'away' : undefined);
        return;
      }
      apns.away(isAway);
      fcm.answerAll(isAway ? 'UNAVAILABLE' : undefined);
    },
    async close() {
      apns.close();
      fcm.close();
      await Promise.all([...stores.map((store) => store.close()), apps.remove()]);
    },
  };
}
