import type { Bans } from '../members/bans.ts';
import { createSimilarHashes } from './image/similar-hashes.ts';

/** Milliseconds by which the clocks of processes may differ, and a write may take. */
const overlapMs = 300_000;

/**
 * Creates the look-up of banned photos. Each process keeps the hashes in memory and reads new ones before each look-up; a match
 * is looked up in the database, so that removed and expired entries match no more.
 */
export function createPhotoBans(bans: Bans) {
  const hashes = createSimilarHashes<string>();
  const known = new Set<string>();
  let newest = new Date(0);

  const readNew = async () => {
    for (const { id, hash, at } of await bans.photosSince(new Date(newest.getTime() - overlapMs))) {
      if (at > newest) newest = at;
      if (known.has(id)) continue;
      known.add(id);
      hashes.add(id, hash);
    }
  };

  return {
    /** The entries that ban a photo with one of these hashes on a site. Makes the same calls whether there are any or not. */
    async of(sought: readonly Uint8Array[], siteid: number): Promise<string[]> {
      await readNew();
      return bans.among(hashes.find(sought), siteid);
    },
  };
}
