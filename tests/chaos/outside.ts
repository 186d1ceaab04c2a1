import { startApns } from '@covalence/fakes/apns';
import { startFcm } from '@covalence/fakes/fcm';
import { startGooglePlay } from '@covalence/fakes/google-play';
import { writePushApps } from '@covalence/fakes/push-apps';

/** An app of the packages that ship with the service. */
const packageName = 'com.covalence.app';

/** What the services ask outside of the system: the push services of Apple and Google, and Google Play. */
export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Starts what is outside, on loopback. */
export async function startOutside() {
  const [apns, fcm, play] = await Promise.all([
    startApns(),
    startFcm(),
    startGooglePlay({ packageName, clock: () => new Date() }),
  ]);
  const apps = await writePushApps({ apns, fcm });
  return {
    apns,
    fcm,
    play,
    /** The settings of the services that ask it. */
    settings: {
      ...apps.settings,
      PAYMENT_PROVIDERS: 'sandbox,google_play',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      GOOGLE_PLAY_APPS: JSON.stringify([play.app]),
      GOOGLE_PLAY_API_URL: play.url,
    },
    /** Takes away what a service asks, or brings it back. */
    away(asks: 'updates' | 'billing', isAway: boolean): void {
      if (asks === 'billing') return play.failWith(isAway ? 'away' : undefined);
      apns.away(isAway);
      fcm.answerAll(isAway ? 'UNAVAILABLE' : undefined);
    },
    async close() {
      apns.close();
      fcm.close();
      await Promise.all([play.close(), apps.remove()]);
    },
  };
}
