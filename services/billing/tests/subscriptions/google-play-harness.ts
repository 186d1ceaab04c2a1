import { startGooglePlay, type GooglePlayPurchase } from '@covalence/fakes/google-play';
import { startService, type ServiceOptions } from '../harness.ts';

/** The app of the test data. */
const androidApp = { app_platform: 'app_android', app_id: 'com.test', version: 1 };

/** Google Play on loopback, with the settings of a service that takes its purchases. */
export async function startPlay(clock: () => Date) {
  const play = await startGooglePlay({ packageName: androidApp.app_id, clock });
  return { play, settings: { GOOGLE_PLAY_APPS: [play.app], GOOGLE_PLAY_API_URL: play.url } };
}

/** A service that takes purchases of a Google Play on loopback. */
export async function startWithGooglePlay(suite: string, options: ServiceOptions = {}) {
  const { clock = { now: new Date('2026-06-15T12:00:00Z') } } = options;
  const { play, settings } = await startPlay(() => clock.now);
  const billing = await startService(suite, {
    ...options,
    clock,
    config: {
      PAYMENT_PROVIDERS: ['sandbox', 'google_play'],
      ...settings,
      ...options.config,
    },
  });
  const moveClock = (day: string) => void (clock.now = new Date(`${day}T12:00:00Z`));

  return {
    ...billing,
    play,
    app: androidApp,
    moveClock,
    /** Buys in the app, as a member. */
    buy: async (id: number, purchase: Partial<GooglePlayPurchase> = {}): Promise<string> =>
      play.buy({ product: 'android1.1', account: (await billing.own(id)).account_token, ...purchase }),
    /** POST /packages/purchase with a purchase token. */
    purchase: (id: number, receipt: string, body: object = {}) =>
      billing.post(
        '/packages/purchase',
        { package_id: 1, rate_id: 11, ...androidApp, receipt, ...body },
        { id },
      ),
    restore: (id: number, receipts: readonly string[]) => {
      const { app_platform, app_id } = androidApp;
      return billing.post('/packages/restore', { app_platform, app_id, receipts }, { id });
    },
    /** A member with a subscription that began on June 15, 2026. */
    async subscribed(id: number): Promise<string> {
      moveClock('2026-06-15');
      const token = await this.buy(id);
      const { status } = await this.purchase(id, token);
      if (status !== 200) throw new Error(`the purchase was answered ${status}`);
      return token;
    },
    /** Delivers the last notification, or one of them, as Pub/Sub posts it. */
    async deliver(notice = play.notices.at(-1), claims: object = {}) {
      const { authorization, body } = await play.pushOf(notice ?? { notification: {} }, claims);
      return billing.request
        .post('/packages/webhook/google_play')
        .set('Authorization', authorization)
        .send(body);
    },
    async closeAll() {
      await billing.close();
      await play.close();
    },
  };
}

/** The running service of a suite. */
export type GooglePlayBilling = Awaited<ReturnType<typeof startWithGooglePlay>>;
