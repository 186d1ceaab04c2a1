import { startGooglePlay } from '@covalence/fakes/google-play';
import { createMetrics } from '@covalence/runtime/metrics';
import { expect, it } from '@jest/globals';
import { createStores, type StoreAccess } from '../../src/subscriptions/stores.ts';

it('a notification whose signature cannot be checked counts as a failed question to its store', async () => {
  const play = await startGooglePlay({ packageName: 'com.test', clock: () => new Date() });
  const metrics = createMetrics('test');
  const access: StoreAccess = {
    app_store: { apps: [] },
    google_play: { apps: [play.app], apiUrl: play.url },
    stripe: { secretKey: '', webhookSecrets: [] },
  };
  const [store] = createStores(['google_play'], access, metrics).all;
  const notification = { version: '1.0', packageName: 'com.test', testNotification: { version: '1.0' } };
  const { authorization, body } = await play.pushOf({ notification });
  // The keys of Pub/Sub cannot be read.
  play.failWith('away');
  const header = (name: string) => (name.toLowerCase() === 'authorization' ? authorization : undefined);
  const told = store?.notified({ body: Buffer.from(JSON.stringify(body)), header, at: new Date() });
  await expect(told).rejects.toMatchObject({ status: 503 });
  expect((await metrics.storeAnswers.get()).values).toMatchObject([
    { labels: { store: 'google_play', outcome: 'failed' }, value: 1 },
  ]);
  await play.close();
});
