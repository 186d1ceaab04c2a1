import { Failure } from '@covalence/contract/failure';
import { failureCode } from '@covalence/contract/failure-codes';
import { CommandError } from '@covalence/runtime/command-error';
import { errorText } from '@covalence/runtime/error-text';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf, type SearcherContext } from '../criteria/searcher.ts';
import type { Searching } from '../criteria/relations.ts';
import { readHits, type Match } from '../relevance/read-hits.ts';
import type { JudgedSearch } from './judgment-set.ts';
import { measure, type Quality } from './metrics.ts';
import { trySearch, type Trial } from './try-search.ts';

/** Dependencies of judged searches. */
export interface JudgedTrial extends Trial {
  /** Reads the searcher, and whom the search leaves out: those who block the searcher. */
  readonly readSearcher: (member: number) => Promise<Pick<Searching, 'viewer' | 'excluded'>>;
  /** Whether matches say what each criterion contributed, which takes most of a search's time. */
  readonly outcomes?: boolean;
}

/** Results per judged search. */
const resultCount = 100;

/** The error of a search with invalid criteria, with the meaning of its codes. */
function refused(name: string, codes: readonly number[]): CommandError {
  const texts = codes.map((code) => `${code} (${failureCode(code)?.meaning})`);
  return new CommandError(`search '${name}' fails: ${texts.join(', ')}`);
}

/** Runs one judged search, also with criteria for subscribers, without rendering. */
export async function runJudged(
  { name, member, criteria, sortby }: Pick<JudgedSearch, 'name' | 'member' | 'criteria' | 'sortby'>,
  { readSearcher, outcomes = true, ...trial }: JudgedTrial,
  context: Pick<SearcherContext, 'sites'>,
): Promise<Match[]> {
  const { viewer, excluded } = await readSearcher(member).catch((error: unknown) => {
    const why = errorText(error);
    throw new CommandError(`search '${name}': member ${member} cannot search: ${why}`, { cause: error });
  });
  const parsed = parseSearch(criteria, { ...searcherOf(viewer, context), platinum: true });
  if (parsed.failcodes.length) throw refused(name, parsed.failcodes);
  const asked = { ...parsed, excluded, sortby, outcomes, page: 1, pagesize: resultCount };
  const { hits, search } = await trySearch(asked, viewer, trial, context).catch((error: unknown) => {
    throw error instanceof Failure && error.failcode ? refused(name, error.failcode) : error;
  });
  return readHits(hits, search);
}

/** The members that a judged search found, and their quality. */
export interface Result {
  readonly found: readonly Match[];
  readonly quality: Quality;
}

/** Runs one judged search and measures the results. */
export async function judge(
  search: JudgedSearch,
  trial: JudgedTrial,
  context: Pick<SearcherContext, 'sites'>,
): Promise<Result> {
  const found = await runJudged(search, trial, context);
  const byId = new Map(Object.entries(search.grades).map(([id, grade]) => [Number(id), grade]));
  const ids = found.map(({ id }) => id);
  return { found, quality: measure(ids, byId) };
}
