import { Failure } from '@covalence/contract/failure';
import { failureCode } from '@covalence/contract/failure-codes';
import { CommandError } from '@covalence/runtime/command-error';
import { errorText } from '@covalence/runtime/error-text';
import type { Analysis } from '../analysis/analysis.ts';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf, type SearcherContext } from '../criteria/searcher.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Viewer } from '../relations/relations.ts';
import { buildSearch } from '../relevance/build-search.ts';
import { idOf } from '../relevance/read-hits.ts';
import { siteRelevance, type RelevanceSettings } from '../relevance/relevance-settings.ts';
import { worldPlusSites } from '../searches/find-members.ts';
import { positionOf } from '../searches/search-center.ts';
import type { JudgedSearch } from './judgment-set.ts';
import { measure, type Quality } from './metrics.ts';

/** What judged searches run with. */
export interface Trial {
  readonly members: Pick<MemberIndex, 'search' | 'centroidOf'>;
  readonly settings: RelevanceSettings;
  readonly analysis: Analysis;
  readonly now: Date;
  /** Looks up the searcher by id. */
  readonly viewerOf: (member: number) => Promise<Viewer>;
}

/** Results per judged search. */
const resultCount = 100;

/** The error of a search with invalid criteria, with the meaning of its codes. */
function refused(name: string, codes: readonly number[]): CommandError {
  const texts = codes.map((code) => `${code} (${failureCode(code)?.meaning})`);
  return new CommandError(`search '${name}' fails: ${texts.join(', ')}`);
}

/** Runs one judged search, without exclusions and without rendering, and measures the results. */
export async function judge(
  { name, member, criteria, sortby, grades }: JudgedSearch,
  { members, settings, analysis, now, viewerOf }: Trial,
  context: Pick<SearcherContext, 'sites'>,
): Promise<Quality> {
  const viewer = await viewerOf(member).catch((error: unknown) => {
    const why = errorText(error);
    throw new CommandError(`search '${name}': member ${member} cannot search: ${why}`, { cause: error });
  });
  const parsed = parseSearch(criteria, { ...searcherOf(viewer, context), platinum: true });
  if (parsed.failcodes.length) throw refused(name, parsed.failcodes);
  const location = parsed.criteria.find((query) => query.form === 'geolocation');
  const center = location?.of ?? ({ kind: 'self' } as const);
  const origin = await positionOf(center, viewer, members).catch((error: unknown) => {
    throw error instanceof Failure ? refused(name, error.failcode ?? []) : error;
  });
  const { siteid } = viewer.member;
  const model = {
    ...parsed,
    viewer: viewer.member,
    worldPlusSites: worldPlusSites(siteid, context),
    excluded: [],
    origin,
    language: analysis.forLocale(viewer.locale),
    sortby,
    page: 1,
    pagesize: resultCount,
  };
  const { request } = buildSearch(model, siteRelevance(settings, siteid), now);
  const { hits } = await members.search(request);
  const byId = new Map(Object.entries(grades).map(([id, grade]) => [Number(id), grade]));
  return measure(hits.map(idOf), byId);
}
