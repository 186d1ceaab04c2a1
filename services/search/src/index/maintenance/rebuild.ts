import { dayMs } from '@covalence/contract/time';
import { errorText } from '@covalence/runtime/error-text';
import { type Stems, uniqueStems } from '../../analysis/analysis.ts';
import { compareSample, repairIndex } from './compare-members.ts';
import { copyMembers } from '../copy-members.ts';
import type { IndexVersion } from '../index-version-store.ts';
import type { SearchIndex } from '../search-index.ts';
import { missingStems } from '../stems.ts';

/** Options of a rebuild or rollback. */
export interface RebuildOptions {
  /** Called after each page with the number of members copied. */
  readonly onProgress?: (copied: number) => void;
  /** Interrupts the work before the swap. */
  readonly interrupted?: AbortSignal | undefined;
  /** Stems of the new index beside those that are needed already. */
  readonly stems?: readonly Stems[];
  /** Called before the new index goes live; throws to keep the old one. */
  readonly onSwap?: () => Promise<void>;
  /** Called when the new index is live, before another process may replace it. */
  readonly onSwapped?: () => Promise<void>;
}

/** Members that a rebuild compares before it swaps. */
const sampleSize = 1_000;

/**
 * Runs `work` while this process holds the rebuild lease; throws if another process holds it. `renewLease` throws when the lease is
 * lost or the work interrupted; `left` says which state an interruption leaves and what to do then.
 */
async function withRebuildLease<T>(
  { rebuildLease: lease }: SearchIndex,
  { interrupted, left }: Pick<RebuildOptions, 'interrupted'> & { readonly left: string },
  work: (renewLease: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (!(await lease.hold())) {
    throw new Error(
      'another rebuild or rollback is under way (the lease of a killed one ends within a minute); nothing was changed',
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

/** Documents that are drawn to estimate the median id. */
const drawnForMiddle = 1_000;

/** An id near the median, or 0 without a live index: then a copy is slower. */
async function middleOf({ aliases, documents }: SearchIndex): Promise<number> {
  const { ids } = await documents.draw(drawnForMiddle, aliases.live).catch(() => ({ ids: [] }));
  return ids.toSorted((one, other) => one - other)[Math.floor(ids.length / 2)] ?? 0;
}

/** Fills a new index, behind an alias, and compares it with profile; throws if they differ. */
async function fill(
  next: IndexVersion,
  alias: string,
  index: SearchIndex,
  { onProgress }: RebuildOptions,
  renewLease: () => Promise<void>,
) {
  const middle = await middleOf(index);
  const { copied, broken } = await copyMembers({ ...index, to: alias, middle, renewLease, onProgress });
  const { all } = await index.versions.count(next.index);
  const comparison = { ...index, alias };
  // Members erased during the copy are fine; any other missing document is written now.
  if (all < copied) await repairIndex(comparison, renewLease);
  const { compared, differences } = await compareSample(sampleSize, comparison);
  const wrong = differences.filter(({ kind }) => kind !== 'broken');
  const [first] = wrong;
  if (first) {
    const text = `${wrong.length} of ${compared} members, first ${first.id} (${first.kind})`;
    throw new Error(`${next.index} differs from profile in ${text}; the live index stays`);
  }
  return { members: copied, broken, compared };
}

/** Throws if the analysis in force needs stems that an index lacks: its words would find nobody in other forms. */
async function requireStems({ stems }: SearchIndex, present: readonly string[], problem: string) {
  if (missingStems(await stems(), present).length) throw new Error(problem);
}

/** The same for an index that has just become the live one: a publication does not hold the lease. */
async function requireStemsOrSwapBack(index: SearchIndex, present: readonly string[], problem: string) {
  try {
    await requireStems(index, present, problem);
  } catch (error) {
    if (await index.versions.previous()) await index.versions.rollBack();
    throw error;
  }
}

/** Deletes the index of a failed rebuild; resolves with a text about what became of it. */
async function cleanUp(next: IndexVersion, { versions, rebuildLease }: SearchIndex): Promise<string> {
  const live = await versions.live();
  if (live?.index === next.index) return `${next.index} is live all the same`;
  if (!(await rebuildLease.hold())) return `the process that took over deletes ${next.index}`;
  await versions.discard(next);
  return `nothing is left of ${next.index}`;
}

/**
 * Builds a new index beside the live one and swaps them in one step. Meanwhile consumers write every change to both, and searches use
 * the old one. Throws, and keeps the live index, if counts or a sample differ from profile. The old index becomes the previous
 * one, for a rollback; older ones are deleted. `broken` are members whose projection profile cannot make: the index lacks them.
 */
export function rebuildIndex(index: SearchIndex, options: RebuildOptions = {}) {
  const { versions } = index;
  const left = 'the live index stays as it was; run rebuild again';
  return withRebuildLease(index, { ...options, left }, async (renewLease) => {
    const old = await versions.live();
    const next = await versions.createNext(uniqueStems([...(await index.stems()), ...(options.stems ?? [])]));
    try {
      const filled = await fill(next, index.aliases.building, index, options, renewLease);
      await versions.markFilled(next);
      await renewLease();
      await options.onSwap?.();
      // Somebody may have published during the copy, or even the swap.
      const problem = 'the analysis in force has changed; the live index stays: run rebuild again';
      await requireStems(index, next.stems, problem);
      await versions.promote(next);
      await requireStemsOrSwapBack(index, next.stems, problem);
      await options.onSwapped?.();
      await versions.dropOld(old ? [old.index] : []);
      return { from: old?.index ?? null, to: next, ...filled };
    } catch (error) {
      const left = await cleanUp(next, index).catch(
        (why: unknown) =>
          `${next.index} is left and takes every change until the next rebuild, or drop, deletes it (${errorText(why)})`,
      );
      throw new Error(`${errorText(error)}; ${left}`, { cause: error });
    }
  });
}

/** Lifetime of a shadow. */
const shadowMs = 7 * dayMs;

/**
 * Builds the shadow: an index with the configured mapping beside the live one, with which staff compare and no member searches. It follows
 * every change, and replaces the shadow before. It goes when it expires, and with the next rebuild or drop.
 */
export function buildShadow(index: SearchIndex, now: Date, options: RebuildOptions = {}) {
  const { versions, aliases } = index;
  const left = 'the live index stays as it was';
  return withRebuildLease(index, { ...options, left }, async (renewLease) => {
    const next = await versions.createShadow(await index.stems(), new Date(now.getTime() + shadowMs));
    try {
      const filled = await fill(next, aliases.shadow, index, options, renewLease);
      await versions.markFilled(next);
      return { shadow: next, ...filled };
    } catch (error) {
      throw new Error(`${errorText(error)}; ${await cleanUp(next, index)}`, { cause: error });
    }
  });
}

/** Repairs the previous index, then swaps it with the live one in one step. Throws if there is no previous index. */
export function rollBackIndex(index: SearchIndex, { interrupted }: RebuildOptions = {}) {
  const { versions, aliases } = index;
  const left = 'the live index stays, and the previous one is partly repaired; run rollback again';
  return withRebuildLease(index, { interrupted, left }, async (renewLease) => {
    const previous = await versions.previous();
    if (!previous) throw new Error('there is no previous index to roll back to');
    const problem =
      'the previous index does not stem as the analysis in force: run covalence search-settings rollback first';
    await requireStems(index, previous.stems, problem);
    const { repaired, broken } = await repairIndex({ ...index, alias: aliases.previous }, renewLease);
    await renewLease();
    // Somebody may have published during the repair, or even the swap.
    await requireStems(index, previous.stems, problem);
    const to = await versions.rollBack();
    await requireStemsOrSwapBack(index, previous.stems, problem);
    return { to, repaired, broken };
  });
}

/**
 * Deletes every index but the live one: the previous one, the shadow, an unfinished one of a killed rebuild, and temporary ones of
 * `covalence relevance`, from which no member is erased. Throws during a rebuild or rollback.
 */
export function dropOthers(index: SearchIndex): Promise<string[]> {
  const { versions } = index;
  return withRebuildLease(index, { left: 'nothing was deleted' }, async () => [
    ...(await versions.dropOld()),
    ...(await versions.dropTemporaries()),
  ]);
}
