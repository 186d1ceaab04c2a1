import type { Clock } from '@covalence/runtime/clock';
import type { ClientApplication, ClientStore } from './client-store.ts';

/** How long a process may go on with a client as it read it: so long an old secret works elsewhere, and a disabled client. */
const knownMs = 5_000;

/**
 * Remembers the few clients that nearly every request asks for. A change made through this process shows at once.
 * Ids that nobody has are not remembered.
 */
export function createClientCache(store: ClientStore, now: Clock): ClientStore {
  const known = new Map<string, { readonly client: ClientApplication; readonly until: number }>();
  return {
    ...store,
    async find(clientId) {
      const kept = known.get(clientId);
      const at = now().getTime();
      if (kept && kept.until > at) return kept.client;
      const client = await store.find(clientId);
      if (client) known.set(clientId, { client, until: at + knownMs });
      else known.delete(clientId);
      return client;
    },
    async change(clientId, ...change) {
      const changed = await store.change(clientId, ...change);
      known.delete(clientId);
      return changed;
    },
  };
}
