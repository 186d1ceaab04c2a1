import { createClient } from '@covalence/client/client';
import { followLiveUpdates } from '@covalence/client/live-updates';
import { createSession } from '@covalence/client/session';
import { memoryStorage } from '@covalence/client/tokens';
import type { LiveUpdate } from '@covalence/client/update-order';
import { until } from '@covalence/testing/until';
import type { ClientApp } from './sign-in.ts';

/** A client app on one device, built with the client package. */
export type App = ReturnType<typeof createAppOn>;

/** An app without a signed-in member. */
export function createAppOn(base: string, { client_id, client_secret }: ClientApp) {
  const storage = memoryStorage();
  const session = createSession({ authUrl: base, clientId: client_id, clientSecret: client_secret, storage });
  return { client: createClient({ baseUrl: base, session }), session, storage };
}

/** Follows the live updates of an app and waits until they are connected. */
export async function followOn(base: string, { session }: App, after?: string) {
  const frames: LiveUpdate[] = [];
  let isConnected = false;
  const live = followLiveUpdates({
    baseUrl: base,
    session,
    onUpdate: (frame) => frames.push(frame),
    onConnected: (now) => (isConnected = now),
    ...(after !== undefined && { after }),
  });
  await until('live updates', () => isConnected || undefined);
  return {
    live,
    frames,
    next: (type: string) => until(`a ${type} frame`, () => frames.find((one) => one.type === type)),
  };
}
