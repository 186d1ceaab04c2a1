import type { Problem } from '@covalence/contract/failure';
import type { Clock } from '@covalence/runtime/clock';
import { CommandError } from '@covalence/runtime/command-error';
import { compileAnalysis } from '../analysis/analysis.ts';
import { rebuildIndex, type RebuildOptions } from '../index/rebuild.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { missingStems } from '../index/stems.ts';
import type { SearchesContext } from '../searches/searches.ts';
import { unknownSites, type SettingsChange } from '../settings/search-settings.ts';
import type { SettingsVersion } from '../settings/settings-store.ts';

/** What publishing needs. */
export interface PublishContext extends Pick<SearchesContext, 'settings' | 'sites'> {
  readonly index: SearchIndex;
  readonly clock: Clock;
}

/** What to publish: a part that it does not give stays as it is in force. */
export interface Publication extends Pick<SettingsVersion, 'note' | 'of' | 'by'> {
  readonly content: SettingsChange;
  /** The newest version when the content was read, by default the one in force now. */
  readonly after?: number | undefined;
  /** Called if the index lacks stems of the version, before it is rebuilt; throws to leave it. */
  readonly onRebuild?: (missing: readonly string[]) => void;
}

/** A version that was put in force. */
export interface Published {
  readonly version: number;
  /** The index that was built for it; null if the live one had what it needs. */
  readonly rebuilt: string | null;
}

/** Somebody else published since the content was read. */
export class NotNewest extends CommandError {
  constructor(base: number, newest: number) {
    super(
      `This was made from version ${base}, but version ${newest} was published meanwhile: compare them (covalence search-settings show), then publish again, with "version": ${newest} in a file.`,
    );
  }
}

/** A version that does not exist, or is no longer kept. */
export class NoVersion extends CommandError {
  constructor(version: number) {
    super(`There is no version ${version}: covalence search-settings list shows them.`);
  }
}

/** Search has created no index yet. */
export class NoIndex extends CommandError {
  constructor() {
    super('There is no index yet: search creates it when it starts.');
  }
}

/** Settings that cannot be published as they are. */
export class InvalidSettings extends CommandError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, problem }) => `${path} ${problem}`).join('\n'));
    this.problems = problems;
  }
}

function requireSites({ relevance }: SettingsChange, { sites }: PublishContext): void {
  const unknown = relevance ? unknownSites(relevance, sites) : [];
  if (!unknown.length) return;
  const problem = 'is no site of SITES_FILE';
  throw new InvalidSettings(unknown.map((siteid) => ({ path: `relevance.sites.${siteid}`, problem })));
}

/**
 * Puts a version in force. If the live index lacks its stems, an index is built first that has those of both versions, so that each
 * search finds what its version needs before and after. Throws if somebody else published since `after`.
 */
export async function publishSettings(
  { content: change, after, onRebuild, ...entry }: Publication,
  context: PublishContext,
  options: RebuildOptions = {},
): Promise<Published> {
  const { settings, index, clock } = context;
  const { store, active } = settings;
  const base = after ?? (await active.refresh()).version;
  const version = base + 1;
  const requireNewest = async () => {
    const newest = (await active.refresh()).version;
    if (newest !== base) throw new NotNewest(base, newest);
  };
  await requireNewest();
  // A site may have gone since an older version was published.
  if (entry.of === null) requireSites(change, context);
  const before = await store.read(base);
  if (!before) throw new NoVersion(base);
  const content = { ...before, ...change };
  const live = await index.versions.live();
  if (!live) throw new NoIndex();
  const publish = async () => {
    if (!(await store.add({ version, content, ...entry, at: clock() }))) {
      throw new NotNewest(base, (await active.refresh()).version);
    }
    await active.refresh();
  };
  const { stems } = compileAnalysis(content);
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
export async function rollBackSettings(
  version: number | undefined,
  context: PublishContext,
  options: RebuildOptions & Partial<Pick<Publication, 'onRebuild' | 'note' | 'by'>> = {},
): Promise<Published & { of: number }> {
  const { store, active } = context.settings;
  // Read once: a version that is published later is not what this goes back from.
  const after = (await active.refresh()).version;
  const of = version ?? after - 1;
  if (of < 0) throw new CommandError('No version has been published.');
  const content = await store.read(of);
  if (!content) throw new NoVersion(of);
  const { note = '', by = null, onRebuild } = options;
  return { of, ...(await publishSettings({ content, note, by, of, after, onRebuild }, context, options)) };
}
