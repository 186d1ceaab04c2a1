import { Failure, invalidArgument } from '@covalence/contract/failure';
import type { Gender } from '@covalence/contract/record';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { ExclusionKind, Searching } from '../criteria/relations.ts';
import type { EqualsOutcome, Match } from '../relevance/read-hits.ts';
import type { SortBy } from '../relevance/sort.ts';
import type { UsedSynonym } from '../relevance/text-filter.ts';
import { prepareSearch } from './find-members.ts';
import { interleaveMembers, type DraftedPage } from './interleave-members.ts';
import type { SearchOutput } from './search-output.ts';
import type { SearchesContext } from './searches.ts';
import { checkShown, mayExplain, shownAnswers } from './shown-answers.ts';

/** A search by a member. */
export interface SearchRequest {
  /** The searcher. */
  readonly member: number;
  /** The parameters that are not control parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly page: number;
  readonly pagesize: number;
  readonly sortby: SortBy;
  readonly exclude: readonly ExclusionKind[];
  readonly explain: boolean;
  /** Names of the answers to show with each result. */
  readonly fields: readonly string[];
  /** `fields` are of a saved search: those that the site no longer shows are omitted, not refused. */
  readonly fieldsAreSaved?: boolean;
  /** The gender of a v1 search; if the searcher's profile does not prefer it, nobody is found. */
  readonly lookingfor?: Gender | undefined;
}

const shownSynonym = ({ typed, words, rule }: UsedSynonym) => ({ typed, found: words.join(' '), rule });

/** Members do not learn what the answer rate gave: it would reveal whom another member ignores. */
const shownPart = ({ part, gave }: EqualsOutcome) => (part === 'answer_rate' ? { part } : { part, gave });

/** The viewer of a search changed since they were read. */
class ViewerChanged extends Error {}

/** Whether a search by what was known of its viewer must be repeated: that changed, or criteria are invalid, which may follow from it. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ViewerChanged || (error instanceof Failure && error.failcode !== undefined);

/**
 * Renders members as they are now, by id; those no longer eligible are omitted. Profile looks up only the relations that there are.
 * Throws `ViewerChanged` unless profile finds what is known of the viewer current.
 */
export async function recordsById(
  viewer: number,
  ids: readonly number[],
  fields: readonly string[],
  { profile }: Pick<SearchesContext, 'profile'>,
  {
    relations,
    known,
    ...reader
  }: Partial<Pick<Searching, 'relations' | 'known'>> & { readonly for_staff?: boolean } = {},
) {
  if (!ids.length && !known) return new Map<number, never>();
  const input = {
    viewer,
    ids: [...ids],
    ...(relations && { related: ids.filter((id) => relations.has(id)) }),
    ...(fields.length > 0 && { fields: [...fields] }),
    ...(known && { known }),
    ...reader,
  };
  const { records, current } = await profile.renderRecords(input);
  if (!current) throw new ViewerChanged();
  return new Map(records.map((record) => [record.id, record]));
}

/** Renders the matches of a page. */
async function renderPage(
  { member: viewer, fields, sortby, explain }: SearchRequest,
  matches: readonly Match[],
  { relations, known }: Searching,
  context: SearchesContext,
) {
  const ids = matches.map(({ id }) => id);
  const recordById = await recordsById(viewer, ids, fields, context, { relations, known });
  return matches.flatMap(({ id, relevance, exactmatch, distance, explanation, amongEquals }) => {
    const record = recordById.get(id);
    if (!record) return [];
    const visible = () =>
      explanation
        .filter(({ criterion }) => mayExplain(criterion, record['site'], context))
        .map(({ synonyms, ...outcome }) => ({
          ...outcome,
          ...(synonyms.length > 0 && { synonyms: synonyms.map(shownSynonym) }),
        }));
    return [
      {
        ...record,
        relevance,
        exactmatch,
        ...(sortby === 'distance' && { distance }),
        ...(explain && { explanation: visible() }),
        ...(explain && amongEquals.length > 0 && { among_equals: amongEquals.map(shownPart) }),
      },
    ];
  });
}

async function searchAs(
  searching: Searching,
  request: SearchRequest,
  context: SearchesContext,
): Promise<SearchOutput> {
  const { viewer, excluded } = searching;
  const parsed = parseSearch(request.parameters, searcherOf(viewer, context));
  if (parsed.failcodes.length) throw invalidArgument(...parsed.failcodes);
  const { page, pagesize, sortby, explain, lookingfor } = request;
  const { siteid, gender_preference, recorded = true } = viewer.member;
  if (!request.fieldsAreSaved) checkShown(request.fields, siteid, context);
  const fields = shownAnswers(request.fields, siteid, context);
  if (lookingfor && lookingfor !== gender_preference) {
    return { totalmatches: 0, page, pagesize, currentpagesize: 0, users: [] };
  }
  const search = await prepareSearch(
    { ...parsed, excluded, explain, sortby, page, pagesize },
    viewer,
    context,
  );
  const answered = { member: request.member, siteid, criteria: parsed.criteria, sortby, page, pagesize };
  const recording = context.usage.recorder.begin({
    ...answered,
    ...search,
    recorded,
    at: context.clock(),
  });
  // Counted while the engine searches; the results are returned only if the count succeeds.
  const finding: Promise<DraftedPage> = recording?.trial
    ? interleaveMembers(search, { ...recording.trial, ...answered, excluded })
    : search.run(search.relevance);
  const [{ total, matches, teams }] = await Promise.all([finding, search.count()]);
  const users = await renderPage({ ...request, fields }, matches, searching, context);
  const rendered = new Set(users.map(({ id }) => id));
  recording?.end(
    matches.map(({ id }) => (rendered.has(id) ? id : null)),
    teams && matches.map(({ id }) => teams.get(id)).join(''),
  );
  return { totalmatches: total, page, pagesize, currentpagesize: users.length, users };
}

/**
 * Runs a search: checks the criteria, queries Elasticsearch for ids, relevance and distance, and has profile render the page. Throws 403
 * with the codes of the invalid criteria (31000–31013), 403 Deactivated, 429 when the hour's centers or the day's results are used
 * up, and 503 while a store is down.
 */
export async function runSearch(request: SearchRequest, context: SearchesContext): Promise<SearchOutput> {
  const { member, exclude, lookingfor } = request;
  // A v1 search may end without a call to profile, which would check what is known.
  const recent = lookingfor ? undefined : context.relations.recent(member, exclude);
  if (recent) {
    try {
      return await searchAs(recent, request, context);
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
  return searchAs(await context.relations.read(member, exclude), request, context);
}
