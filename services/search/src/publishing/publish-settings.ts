import { CommandError } from '@covalence/runtime/command-error';
import { rebuildIndex, type RebuildOptions } from '../index/maintenance/rebuild.ts';
import { missingStems } from '../index/stems.ts';
import type { SearchesContext } from '../searches/searches.ts';
import { compileSettings, unknownSites, type SettingsChange } from '../settings/search-settings.ts';
import type { SettingsVersion } from '../settings/settings-store.ts';
import { InvalidSettings } from './invalid-settings.ts';
import { probeSettings } from './probe-settings.ts';

/** Dependencies of publishing. */
type PublishContext = Pick<SearchesContext, 'settings' | 'sites' | 'index' | 'clock'>;

/** The content to publish: an absent part stays as it is in force. */
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

/** Throws if relevance settings name sites that do not exist. */
export function requireSites({ relevance }: SettingsChange, { sites }: Pick<PublishContext, 'sites'>): void {
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
  const base = after ?? (await store.newest());
  const version = base + 1;
  const requireNewest = async () => {
    const newest = await store.newest();
    if (newest !== base) throw new NotNewest(base, newest);
  };
  await requireNewest();
  // A site may have gone since an older version was published.
  if (entry.of === null) requireSites(change, context);
  const content = { ...(await active.refresh()).content, ...change };
  const live = await index.versions.live();
  if (!live) throw new NoIndex();
  const publish = async () => {
    if (!(await store.add({ version, content, ...entry, at: clock() }))) {
      throw new NotNewest(base, await store.newest());
    }
    // It is in force, also where this process follows a little later.
    await active.refresh().catch(() => undefined);
  };
  const compiled = compileSettings(version, content, active.ofFile);
  await probeSettings(compiled, Object.keys(content.languages), context);
  const { stems } = compiled.analysis;
  const missing = missingStems(stems, live.stems);
  if (!missing.length) {
    await publish();
    return { version, rebuilt: null };
  }
  onRebuild?.(missing);
  const { to } = await rebuildIndex(index, { ...options, stems, onSwap: requireNewest, onSwapped: publish });
  return { version, rebuilt: to.index };
}

/**
 * Puts the content of an older version in force again. By default it is that of the one before the content in force, so that a second
 * rollback goes on to the one before that. Throws if somebody else published since `after`.
 */
export async function rollBackSettings(
  version: number | undefined,
  context: PublishContext,
  options: RebuildOptions & Partial<Pick<Publication, 'onRebuild' | 'note' | 'by' | 'after'>> = {},
): Promise<Published & { from: number; of: number }> {
  const { store } = context.settings;
  // Read once: a version that is published later is not what this goes back from.
  const { after = await store.newest() } = options;
  const of = version ?? (await versionBefore(after, context));
  const content = await store.read(of);
  if (content === null) throw new NoVersion(of);
  if (!content) {
    throw new InvalidSettings([
      { path: 'version', problem: `${of} is from another release and cannot be read` },
    ]);
  }
  const { note = '', by = null, onRebuild } = options;
  const publication = { content, note, by, of, after, onRebuild };
  return { from: after, of, ...(await publishSettings(publication, context, options)) };
}

/** The version whose content was in force before that of a version. */
async function versionBefore(version: number, { settings }: PublishContext): Promise<number> {
  const contentOf = new Map((await settings.store.list()).map((one) => [one.version, one.of ?? one.version]));
  const before = (contentOf.get(version) ?? version) - 1;
  if (before < 0) throw new CommandError('There is no version before this one.');
  return contentOf.get(before) ?? before;
}
