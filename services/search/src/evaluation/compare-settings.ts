import type { SearchProjection } from '@covalence/contract/search-projection';
import { mapChunks } from '@covalence/runtime/chunks';
import { CommandError } from '@covalence/runtime/command-error';
import { uniqueStems } from '../analysis/analysis.ts';
import type { IndexMapping } from '../index/mapping.ts';
import { memberDocument } from '../index/member-document.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { missingStems } from '../index/stems.ts';
import type { Match } from '../relevance/read-hits.ts';
import type { Ranking } from '../searches/find-members.ts';
import type { SearchesContext } from '../searches/searches.ts';
import type { JudgmentSet } from './judgment-set.ts';
import type { Quality } from './metrics.ts';
import { judge, type JudgedTrial, type Result } from './run-judgments.ts';
import type { Searched } from './try-search.ts';

/** Settings of a search and the mapping of its index. */
export interface Variant {
  readonly settings: Ranking;
  readonly mapping: IndexMapping;
}

/** Dependencies of a set with its own members: Elasticsearch alone. */
export interface LabContext extends Pick<SearchesContext, 'clock' | 'sites'> {
  readonly index: Pick<SearchIndex, 'temporary'>;
}

/** One search with each variant, in the order of the variants. */
export interface Judged {
  readonly name: string;
  readonly qualities: readonly Quality[];
  readonly found: readonly (readonly Match[])[];
}

/** Looks up searchers among the members of the set, as profile would return them. */
const searchersIn = (members: readonly SearchProjection[]): JudgedTrial['readSearcher'] => {
  const byId = new Map(members.map((one) => [one.id, one]));
  return (id) => {
    const member = byId.get(id);
    if (!member) return Promise.reject(new Error('not in the judgment set'));
    const { position } = member;
    const viewer = { member, position, platinum: true, agefrom: null, ageto: null, locale: 'en_US' };
    return Promise.resolve({ viewer, excluded: [] });
  };
};

/** Runs the searches of a set with one variant. */
type Run = (trial: JudgedTrial) => Promise<Result[]>;

/** Searches that run at once. */
const searchesAtOnce = 8;

/** The results of each search, by variant. */
type Columns = (readonly [Variant, Result[]])[];

/** Runs with each of the variants of a mapping in one temporary index that holds only these members. */
async function inTemporaryIndex(
  projections: readonly SearchProjection[],
  [mapping, variants]: readonly [IndexMapping, readonly Variant[]],
  now: Date,
  { index }: LabContext,
  run: Run,
): Promise<Columns> {
  const { versions, members } = index.temporary(mapping);
  await versions.createFirst(uniqueStems(variants.flatMap(({ settings }) => settings.analysis.stems)));
  const version = await versions.live();
  if (!version) throw new Error('the temporary index was deleted');
  try {
    await members.write(projections.map(memberDocument));
    // Counting refreshes the index.
    await versions.count(version.index);
    const readSearcher = searchersIn(projections);
    const columns: Columns = [];
    for (const variant of variants) {
      columns.push([variant, await run({ members, settings: variant.settings, now, readSearcher })]);
    }
    return columns;
  } finally {
    await versions.discard(version);
  }
}

/** Throws where an index lacks stems of some settings, and where there is no shadow. */
export async function requireStems(
  { analysis }: Ranking,
  { versions }: SearchIndex,
  searched: Searched = 'live',
): Promise<void> {
  const version = await versions[searched]();
  if (searched === 'shadow' && !version?.filled)
    throw new CommandError('There is no shadow index: covalence index shadow builds it.');
  if (!missingStems(analysis.stems, version?.stems ?? []).length) return;
  throw new CommandError(
    searched === 'shadow'
      ? 'The shadow index lacks stems of these settings: covalence index shadow builds it again, with those in force.'
      : 'Other stems can only be tried with a set that brings its own members.',
  );
}

async function inLiveIndex(
  { settings, mapping }: Variant,
  now: Date,
  context: LabContext | SearchesContext,
  run: Run,
): Promise<Result[]> {
  if (!('profile' in context))
    throw new Error('a judgment set without `members` needs the search service (PROFILE_URL)');
  const { index, relations } = context;
  if (mapping.fingerprint !== index.mapping.fingerprint) {
    throw new CommandError('Another mapping can only be tried with a set that brings its own members.');
  }
  await requireStems(settings, index);
  const readSearcher = (id: number) => relations.read(id, []);
  return run({ members: index.members, settings, now, readSearcher });
}

/** Runs every search of a set with each variant. When it is interrupted, it deletes its temporary index. */
export async function compareVariants(
  set: JudgmentSet,
  variants: readonly Variant[],
  context: LabContext | SearchesContext,
  interrupted?: AbortSignal,
): Promise<Judged[]> {
  const now = set.now ? new Date(set.now) : context.clock();
  const run: Run = (trial) =>
    mapChunks(set.searches, searchesAtOnce, (search) => {
      if (interrupted?.aborted) throw new CommandError('interrupted: nothing is left of the comparison');
      return judge(search, trial, context);
    });
  const columns = new Map<Variant, Result[]>();
  if (set.members) {
    for (const some of Map.groupBy(variants, ({ mapping }) => mapping)) {
      for (const [variant, results] of await inTemporaryIndex(set.members, some, now, context, run))
        columns.set(variant, results);
    }
  } else {
    for (const variant of variants) columns.set(variant, await inLiveIndex(variant, now, context, run));
  }
  return set.searches.map(({ name }, row) => {
    const results = variants.flatMap((variant) => columns.get(variant)?.[row] ?? []);
    return {
      name,
      qualities: results.map(({ quality }) => quality),
      found: results.map(({ found }) => found),
    };
  });
}
