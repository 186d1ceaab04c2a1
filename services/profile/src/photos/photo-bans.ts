import type { Clock } from '@covalence/runtime/clock';
import type { Bans } from '../members/bans.ts';
import { createSimilarHashes } from './image/similar-hashes.ts';

/** Milliseconds by which the clocks of processes may differ, and a write may take. */
const overlapMs = 300_000;

/**
 * Creates the look-up of banned photos. Each process keeps the hashes in memory and reads new ones before each look-up; a match
 * is looked up in the database, so that removed and expired entries match no more.
 */
export function createPhotoBans({ store }: Bans, clock: Clock) {
  const hashes = createSimilarHashes<string>();
  const known = new Set<string>();
  let newest = new Date(0);

  const readNew = async () => {
    for (const { id, hash, at } of await store.photosSince(new Date(newest.getTime() - overlapMs))) {
      if (at > newest) newest = at;
      if (known.has(id)) continue;
      known.add(id);
      hashes.add(id, Buffer.from(hash, 'hex'));
    }
  };

  return {
    /** Whether one of these hashes is that of a photo that is banned on a site. Makes the same calls whether it is or not. */
    async has(sought: readonly Uint8Array[], siteid: number): Promise<boolean> {
      await readNew();
      return store.hasAny(hashes.find(sought), siteid, clock());
    },
  };
}
