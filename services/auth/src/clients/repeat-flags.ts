import { endedSeconds } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Clients } from './client-store.ts';

/** Sets the flags of clients again that changed lately: Redis may have been down, or have lost them. */
export async function repeatClientFlags(clients: Clients, now: Clock): Promise<void> {
  const since = new Date(now().getTime() - endedSeconds * 1000);
  for (const { _id, disabled, disabled_at } of await clients.all()) {
    if (disabled_at && (!disabled || disabled_at >= since)) await clients.flags.setDisabled(_id, disabled);
  }
}
