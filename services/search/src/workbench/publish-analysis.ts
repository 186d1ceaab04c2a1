import type { Clock } from '@covalence/runtime/clock';
import { CommandError } from '@covalence/runtime/command-error';
import { compileAnalysis, type AnalysisContent } from '../analysis/analysis.ts';
import type { AnalysisVersion } from '../analysis/analysis-store.ts';
import { rebuildIndex, type RebuildOptions } from '../index/rebuild.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { missingStems } from '../index/stems.ts';
import type { SearchesContext } from '../searches/searches.ts';

/** What publishing needs. */
export interface PublishContext extends Pick<SearchesContext, 'analysis'> {
  readonly index: SearchIndex;
  readonly clock: Clock;
}

/** What to publish. */
export interface Publication extends Pick<AnalysisVersion, 'content' | 'note' | 'of'> {
  /** The newest version when the content was read, by default the one in force now. */
  readonly after?: number | undefined;
  /** Called if the index lacks stems of the version and is rebuilt first. */
  readonly onRebuild?: (missing: readonly string[]) => void;
}

/** A version that was put in force. */
export interface Published {
  readonly version: number;
  /** The index that was built for it; null if the live one had what it needs. */
  readonly rebuilt: string | null;
}

const notNewest = (base: number, newest: number) =>
  new CommandError(
    `This was made from version ${base}, but version ${newest} was published meanwhile: compare them (covalence analysis show), then publish again, with "version": ${newest} in a file.`,
  );

/**
 * Puts a version in force. If the live index lacks its stems, an index is built first that has those of both versions, so that each
 * search finds what its version needs before and after. Throws if somebody else published since `after`.
 */
export async function publishAnalysis(
  { content, note, of, after, onRebuild }: Publication,
  { analysis: { store, active }, index, clock }: PublishContext,
  options: RebuildOptions = {},
): Promise<Published> {
  const base = after ?? (await active.refresh()).version;
  const version = base + 1;
  const requireNewest = async () => {
    const newest = (await active.refresh()).version;
    if (newest !== base) throw notNewest(base, newest);
  };
  await requireNewest();
  const { stems } = compileAnalysis(version, content);
  const live = await index.versions.live();
  if (!live) throw new CommandError('There is no index yet: search creates it when it starts.');
  const publish = async () => {
    if (!(await store.add({ version, content, note, of, at: clock() }))) {
      throw notNewest(base, (await active.refresh()).version);
    }
    await active.refresh();
  };
  const missing = missingStems(stems, live.stems);
  if (!missing.length) {
    await publish();
    return { version, rebuilt: null };
  }
  onRebuild?.(missing);
  const { to } = await rebuildIndex(index, { ...options, stems, onSwap: requireNewest, onSwapped: publish });
  return { version, rebuilt: to.index };
}

/** Puts the content of an older version in force again, by default that of the last one. */
export async function rollBackAnalysis(
  version: number | undefined,
  context: PublishContext,
  options: RebuildOptions & Pick<Publication, 'onRebuild'> = {},
): Promise<Published & { of: number }> {
  const { store, active } = context.analysis;
  // Read once: a version that is published later is not what this goes back from.
  const after = (await active.refresh()).version;
  const of = version ?? after - 1;
  if (of < 0) throw new CommandError('No version has been published.');
  const content: AnalysisContent | null = await store.read(of);
  if (!content) throw new CommandError(`There is no version ${of}: covalence analysis list shows them.`);
  const publication = { content, note: '', of, after, onRebuild: options.onRebuild };
  return { of, ...(await publishAnalysis(publication, context, options)) };
}
