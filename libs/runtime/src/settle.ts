/** Waits for all, and rejects with the first failure: in a cluster of Redis, one server that is down is not to stop the keys of others. */
export async function settle(works: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(works)) if (one.status === 'rejected') throw one.reason;
}
