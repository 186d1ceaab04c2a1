import type { Peer } from '@covalence/http/peer';
import { copyMembers } from './copy-members.ts';
import type { IndexVersion, IndexVersions } from './index-version-store.ts';
import { aliasesOf, type MemberIndex } from './member-index.ts';

/** What a rebuild works with. */
export interface RebuildOptions {
  readonly namespace: string;
  readonly versions: IndexVersions;
  readonly members: MemberIndex;
  readonly profile: Peer;
  /** Told after each page how many members are copied. */
  readonly onProgress?: (copied: number) => void;
}

/** What a rebuild did. */
export interface Rebuilt {
  readonly from: string | null;
  readonly to: IndexVersion;
  readonly members: number;
}

/**
 * Builds a new index beside the live one and swaps them. While it runs, consumers write every change to both; searches
 * stay on the old one until the alias moves, in one step. Throws before the swap where the new index has fewer members
 * than profile gave.
 */
export async function rebuildIndex(options: RebuildOptions): Promise<Rebuilt> {
  const { namespace, versions, members, profile, onProgress } = options;
  const old = await versions.live();
  const next = await versions.createNext();
  const { building: to } = aliasesOf(namespace);
  const copied = await copyMembers({ profile, members, to, ...(onProgress && { onProgress }) });
  const { all } = await versions.count(next.index);
  if (all < copied) throw new Error(`${next.index} has ${all} of ${copied} members; the live index stays`);
  await versions.markFilled(next);
  await versions.promote(next);
  return { from: old?.index ?? null, to: next, members: copied };
}
