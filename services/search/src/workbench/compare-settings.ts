import type { SearchProjection } from '@covalence/contract/search-projection';
import { CommandError } from '@covalence/runtime/command-error';
import type { Analysis } from '../analysis/analysis.ts';
import type { IndexMapping } from '../index/mapping.ts';
import { memberDocument } from '../index/member-document.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { missingStems } from '../index/stems.ts';
import type { Viewer } from '../relations/relations.ts';
import type { RelevanceSettings } from '../relevance/relevance-settings.ts';
import type { SearchesContext } from '../searches/searches.ts';
import type { JudgmentSet } from './judgment-set.ts';
import type { Quality } from './metrics.ts';
import { judge, type Trial } from './run-judgments.ts';

/** Settings of a search and the mapping of its index. */
export interface Variant {
  readonly settings: RelevanceSettings;
  readonly mapping: IndexMapping;
  readonly analysis: Analysis;
}

/** What a set with its own members needs: Elasticsearch alone. */
export interface LabContext extends Pick<SearchesContext, 'clock' | 'sites'> {
  readonly index: Pick<SearchIndex, 'temporary'>;
}

/** The quality of one search with each variant, in the order of the variants. */
export interface Judged {
  readonly name: string;
  readonly qualities: readonly Quality[];
}

/** Looks up searchers among the members of the set, as profile would return them. */
const viewersIn = (members: readonly SearchProjection[]) => {
  const byId = new Map(members.map((one) => [one.id, one]));
  return (id: number): Promise<Viewer> => {
    const member = byId.get(id);
    if (!member) return Promise.reject(new Error('not among the members of the set'));
    const { position } = member;
    return Promise.resolve({
      member,
      position,
      platinum: true,
      agefrom: null,
      ageto: null,
      locale: 'en_US',
    });
  };
};

/** Runs the searches of a set with one variant. */
type Run = (trial: Trial) => Promise<Quality[]>;

/** Runs in a temporary index that holds only these members. */
async function inTemporaryIndex(
  projections: readonly SearchProjection[],
  { settings, mapping, analysis }: Variant,
  now: Date,
  { index }: LabContext,
  run: Run,
): Promise<Quality[]> {
  const { versions, members } = index.temporary(mapping);
  await versions.createFirst(analysis.stems);
  const version = await versions.live();
  if (!version) throw new Error('the temporary index was deleted');
  try {
    await members.write(projections.map(memberDocument));
    // Counting refreshes the index.
    await versions.count(version.index);
    return await run({ members, settings, analysis, now, viewerOf: viewersIn(projections) });
  } finally {
    await versions.discard(version);
  }
}

async function inLiveIndex(
  { settings, mapping, analysis }: Variant,
  now: Date,
  context: LabContext | SearchesContext,
  run: Run,
): Promise<Quality[]> {
  if (!('profile' in context)) throw new Error('a set without members needs the search service');
  const { index, profile } = context;
  if (mapping.fingerprint !== index.mapping.fingerprint) {
    throw new CommandError('Another mapping can only be tried with a set that brings its own members.');
  }
  const live = await index.versions.live();
  if (missingStems(analysis.stems, live?.stems ?? []).length) {
    throw new CommandError('Other stems can only be tried with a set that brings its own members.');
  }
  const viewerOf = (id: number) => profile.readViewer({ id });
  return run({ members: index.members, settings, analysis, now, viewerOf });
}

/** Runs every search of a set with each variant. When it is interrupted, it deletes its temporary index. */
export async function compareVariants(
  set: JudgmentSet,
  variants: readonly Variant[],
  context: LabContext | SearchesContext,
  interrupted?: AbortSignal,
): Promise<Judged[]> {
  const now = set.now ? new Date(set.now) : context.clock();
  const run: Run = async (trial) => {
    const qualities: Quality[] = [];
    for (const search of set.searches) {
      if (interrupted?.aborted) throw new CommandError('interrupted: nothing is left of the comparison');
      qualities.push(await judge(search, trial, context));
    }
    return qualities;
  };
  const columns: Quality[][] = [];
  for (const variant of variants) {
    columns.push(
      set.members
        ? await inTemporaryIndex(set.members, variant, now, context, run)
        : await inLiveIndex(variant, now, context, run),
    );
  }
  return set.searches.map(({ name }, row) => ({
    name,
    qualities: columns.flatMap((column) => column[row] ?? []),
  }));
}
