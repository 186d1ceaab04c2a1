import { originsOf } from '@covalence/contract/redirect-uri';
import { endedSeconds } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Clients } from './client-store.ts';
import { isPublic } from './secrets.ts';

/** Sets the origins of the public clients, which run in pages of theirs. */
export async function publishOrigins(clients: Clients): Promise<void> {
  const inUse = (await clients.all()).filter((client) => isPublic(client) && !client.disabled);
  const origins = new Set(inUse.flatMap(({ redirect_uris }) => originsOf(redirect_uris)));
  await clients.flags.setOrigins([...origins].toSorted());
}

/** Sets again what the gateway reads about clients: Redis may have been down, or have lost it. */
export async function repeatClientFlags(clients: Clients, now: Clock): Promise<void> {
  const since = new Date(now().getTime() - endedSeconds * 1000);
  for (const { _id, disabled, disabled_at } of await clients.all()) {
    if (disabled_at && (!disabled || disabled_at >= since)) await clients.flags.setDisabled(_id, disabled);
  }
  await publishOrigins(clients);
}
