import type { Lease } from '@covalence/events/lease';
import type { Peer } from '@covalence/http/peer';
import { errorText } from '@covalence/runtime/error-text';
import { compareSample } from './compare-members.ts';
import { copyMembers } from './copy-members.ts';
import type { DocumentStore } from './document-store.ts';
import type { IndexVersion, IndexVersions } from './index-version-store.ts';
import { aliasesOf, type MemberIndex } from './member-index.ts';
import { repairIndex, type Repaired } from './repair.ts';

/** What a rebuild works with. */
export interface RebuildOptions {
  readonly namespace: string;
  readonly versions: IndexVersions;
  readonly members: MemberIndex;
  readonly documents: DocumentStore;
  readonly profile: Peer<'profile'>;
  /** One process at a time exchanges the live index. */
  readonly rebuildLease: Lease;
  /** Told after each page how many members are copied. */
  readonly onProgress?: (copied: number) => void;
  /** Between two tries and two looks at what differs, ms; where it is not given, as long as each of them waits. */
  readonly pauseMs?: number | undefined;
  /** Ends it before the swap, as anything that fails does. */
  readonly interrupted?: AbortSignal | undefined;
}

/** What a rebuild did. */
export interface Rebuilt {
  readonly from: string | null;
  readonly to: IndexVersion;
  readonly members: number;
  /** Members whom profile cannot make a projection of: the new index is without them. */
  readonly broken: readonly number[];
  /** Members that were compared one by one before the swap. */
  readonly compared: number;
}

/** Members that a rebuild compares before it swaps. */
const sampleSize = 1_000;

interface Alone extends Pick<RebuildOptions, 'rebuildLease' | 'interrupted'> {
  /** What state an interruption leaves, and what to do then. */
  readonly left: string;
}

/** Runs `work` under the lease; throws where another process holds it. `renewLease` throws once it is lost, or the work interrupted. */
async function alone<T>(
  { rebuildLease: lease, interrupted, left }: Alone,
  work: (renewLease: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (!(await lease.hold())) {
    throw new Error(
      'another rebuild or rollback is under way (one that died is given up on after a minute); nothing was changed',
    );
  }
  try {
    return await work(async () => {
      if (interrupted?.aborted) throw new Error(`interrupted: ${left}`);
      if (!(await lease.hold())) throw new Error('another process took over; the live index stays');
    });
  } finally {
    await lease.release();
  }
}

/** Documents of the live index by which the middle of the members is found. */
const drawnForMiddle = 1_000;

/** An id about in the middle of them all; 0 where no live index tells, which makes a copy slower and not wrong. */
async function middleOf({ namespace, documents }: RebuildOptions): Promise<number> {
  const { live } = aliasesOf(namespace);
  const { ids } = await documents.draw(drawnForMiddle, live).catch(() => ({ ids: [] }));
  return ids.toSorted((one, other) => one - other)[Math.floor(ids.length / 2)] ?? 0;
}

/** Fills the new index and compares it with profile; throws where it is not as profile is. */
async function fill(next: IndexVersion, options: RebuildOptions, renewLease: () => Promise<void>) {
  const { namespace, versions, members, documents, profile, onProgress, pauseMs } = options;
  const { building } = aliasesOf(namespace);
  const { copied, broken } = await copyMembers({
    profile,
    members,
    to: building,
    middle: await middleOf(options),
    renewLease,
    pauseMs,
    ...(onProgress && { onProgress }),
  });
  const { all } = await versions.count(next.index);
  const comparison = { profile, documents, alias: building, pauseMs };
  // Some were erased behind the copy, which is no reason to begin again; who is missing otherwise is written now.
  if (all < copied) await repairIndex(comparison, renewLease);
  const { compared, differences } = await compareSample(sampleSize, comparison);
  const wrong = differences.filter(({ kind }) => kind !== 'broken');
  const [first] = wrong;
  if (first) {
    const text = `${wrong.length} of ${compared} members, first ${first.id} (${first.kind})`;
    throw new Error(`${next.index} differs from profile in ${text}; the live index stays`);
  }
  return { copied, broken, compared };
}

/** Deletes what a rebuild that failed has built, and resolves with what became of it. */
async function cleanUp(next: IndexVersion, { versions, rebuildLease }: RebuildOptions): Promise<string> {
  const live = await versions.live();
  if (live?.index === next.index) return `${next.index} is live all the same`;
  if (!(await rebuildLease.hold())) return `whoever took over deletes ${next.index}`;
  await versions.discard(next);
  return `nothing is left of ${next.index}`;
}

/**
 * Builds a new index beside the live one and swaps them. While it runs, consumers write every change to both; searches
 * stay on the old one until the alias moves, in one step. Before the swap counts and a sample are compared; where they
 * differ it throws, the new index goes and the live one stays. The old one is kept for a rollback, and followed; older
 * ones are deleted.
 */
export function rebuildIndex(options: RebuildOptions): Promise<Rebuilt> {
  const { versions } = options;
  const left = 'the live index stays as it was; run rebuild again';
  return alone({ ...options, left }, async (renewLease) => {
    const old = await versions.live();
    const next = await versions.createNext();
    try {
      const { copied, ...rest } = await fill(next, options, renewLease);
      await versions.markFilled(next);
      await renewLease();
      await versions.promote(next);
      await versions.dropOld(old ? [old.index] : []);
      return { from: old?.index ?? null, to: next, members: copied, ...rest };
    } catch (error) {
      const left = await cleanUp(next, options).catch(
        (why: unknown) =>
          `${next.index} is left and takes every change until the next rebuild, or drop, deletes it (${errorText(why)})`,
      );
      throw new Error(`${errorText(error)}; ${left}`, { cause: error });
    }
  });
}

/** What a rollback did. */
interface RolledBack extends Pick<Repaired, 'repaired' | 'broken'> {
  readonly to: IndexVersion;
}

/**
 * Goes back to the index that was live before: brings it up to date wherever it missed a change, then swaps the two in
 * one step. Throws where there is none.
 */
export function rollBackIndex(options: RebuildOptions): Promise<RolledBack> {
  const { namespace, versions, documents, profile } = options;
  const left =
    'the live index stays, and the one before is brought up to date in part, which does no harm; run rollback again';
  return alone({ ...options, left }, async (renewLease) => {
    if (!(await versions.previous())) throw new Error('there is no previous index to roll back to');
    const alias = aliasesOf(namespace).previous;
    const { repaired, broken } = await repairIndex({ profile, documents, alias }, renewLease);
    await renewLease();
    return { to: await versions.rollBack(), repaired, broken };
  });
}

/**
 * Deletes every index but the live one: the one kept for a rollback, what a rebuild that died has left, which would take every
 * change for good, and those of relevance labs, which no erasure reaches. Throws while a rebuild or a rollback is under way.
 */
export function dropOthers(options: Pick<RebuildOptions, 'versions' | 'rebuildLease'>): Promise<string[]> {
  const { versions } = options;
  return alone({ ...options, left: 'nothing was deleted' }, async () => [
    ...(await versions.dropOld()),
    ...(await versions.dropWorkbenches()),
  ]);
}
