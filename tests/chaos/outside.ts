import { startApns } from '@covalence/fakes/apns';
import { startFcm } from '@covalence/fakes/fcm';
import { startGooglePlay } from '@covalence/fakes/google-play';
import { writePushApps } from '@covalence/fakes/push-apps';
import { startStripe } from '@covalence/fakes/stripe';

/** What the packages that ship with the service sell: at Google Play, on the web by Stripe, and in an app whose store is not asked. */
export const sold = {
  play: {
    app: { app_platform: 'app_android', app_id: 'com.covalence.app' },
    offer: { package_id: 1, rate_id: 101 },
    product: 'platinum_1_month',
  },
  stripe: { offer: { package_id: 1, rate_id: 101 }, product: 'covalence_platinum_1_month' },
  sandbox: {
    app: { app_platform: 'app_ios', app_id: '1500000001' },
    offer: { package_id: 1, rate_id: 101 },
  },
} as const;

/** What the services ask outside of the system: the push services of Apple and Google, Google Play and Stripe. */
export type Outside = Awaited<ReturnType<typeof startOutside>>;

const clock = () => new Date();

/** Starts what is outside, on loopback. */
export async function startOutside() {
  const [apns, fcm, play, stripe] = await Promise.all([
    startApns(),
    startFcm(),
    startGooglePlay({ packageName: sold.play.app.app_id, clock }),
    startStripe(clock, [sold.stripe.product]),
  ]);
  const apps = await writePushApps({ apns, fcm });
  return {
    apns,
    fcm,
    play,
    stripe,
    /** The settings of the services that ask it. */
    settings: {
      ...apps.settings,
      PAYMENT_PROVIDERS: 'sandbox,google_play,stripe',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      GOOGLE_PLAY_APPS: JSON.stringify([play.app]),
      GOOGLE_PLAY_API_URL: play.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
    /** Stripe takes requests and answers none, or answers again. */
    silent: (isSilent: boolean): void => stripe.failWith(isSilent ? 'slow' : undefined),
    /** Takes away what a service asks, or brings it back. */
    away(asks: 'updates' | 'billing', isAway: boolean): void {
      const fault = isAway ? 'away' : undefined;
      if (asks === 'billing') {
        play.failWith(fault);
        stripe.failWith(fault);
        return;
      }
      apns.away(isAway);
      fcm.answerAll(isAway ? 'UNAVAILABLE' : undefined);
    },
    async close() {
      apns.close();
      fcm.close();
      await Promise.all([play.close(), stripe.close(), apps.remove()]);
    },
  };
}
