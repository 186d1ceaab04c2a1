import type { Clock } from '@covalence/runtime/clock';
import type { ClientApplication, ClientStore } from './client-store.ts';

/** Lifetime of a cache entry: for this time other processes accept a retired secret or a disabled client. */
const lifetimeMs = 5_000;

/** Caches clients. A change through this process takes effect at once. Unknown ids are not cached. */
export function createClientCache(store: ClientStore, clock: Clock): ClientStore {
  const cache = new Map<string, { readonly client: ClientApplication; readonly until: number }>();
  return {
    ...store,
    async find(clientId) {
      const cached = cache.get(clientId);
      const at = clock().getTime();
      if (cached && cached.until > at) return cached.client;
      const client = await store.find(clientId);
      if (client) cache.set(clientId, { client, until: at + lifetimeMs });
      else cache.delete(clientId);
      return client;
    },
    async change(clientId, ...change) {
      const changed = await store.change(clientId, ...change);
      cache.delete(clientId);
      return changed;
    },
  };
}
