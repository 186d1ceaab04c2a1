import { originsOf } from '@covalence/contract/redirect-uri';
import { endedSeconds } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import { settle } from '@covalence/runtime/settle';
import type { Clients } from './client-store.ts';
import { isPublic } from './secrets.ts';

/** Sets the origins of the public clients, which run in pages of theirs. */
export async function publishOrigins(clients: Clients): Promise<void> {
  const inUse = (await clients.all()).filter((client) => isPublic(client) && !client.disabled);
  const origins = new Set(inUse.flatMap(({ redirect_uris }) => originsOf(redirect_uris)));
  await clients.flags.setOrigins([...origins].toSorted());
}

/** Sets again what the gateway reads about clients: Redis may have been down, or have lost it. */
export async function repeatClientFlags(clients: Clients, clock: Clock): Promise<void> {
  const since = new Date(clock().getTime() - endedSeconds * 1000);
  const due = (await clients.all()).filter(
    ({ disabled, disabled_at }) => disabled_at && (!disabled || disabled_at >= since),
  );
  await settle([
    ...due.map(({ _id, disabled }) => clients.flags.setDisabled(_id, disabled)),
    publishOrigins(clients),
  ]);
}
