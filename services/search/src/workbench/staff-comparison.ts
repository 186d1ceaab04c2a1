import { canonicalName } from '@covalence/contract/catalogue/fields';
import { Failure, invalidArgument, invalidParts, notFound } from '@covalence/contract/failure';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import { isMap } from '@covalence/contract/is-map';
import { orDefault, wholeNumber } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { normalizeNames } from '@covalence/http/names';
import { z } from 'zod';
import { compileAnalysis } from '../analysis/analysis.ts';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import { missingStems } from '../index/stems.ts';
import type { Viewer } from '../criteria/relations.ts';
import { equalsPartNames } from '../relevance/among-equals.ts';
import type { BuiltSearch } from '../relevance/build-search.ts';
import { idOf, readHits, type Match } from '../relevance/read-hits.ts';
import { sortBys } from '../relevance/sort.ts';
import { searchOf, type SearchInput, type Ranking } from '../searches/find-members.ts';
import { recordsById } from '../searches/run-search.ts';
import { searchCodes } from '../searches/search.ts';
import { mayExplain } from '../searches/shown-answers.ts';
import type { SearchSettings, SettingsChange } from '../settings/search-settings.ts';
import {
  checkedChange,
  settingsParameters,
  type StaffSettingsContext,
} from '../publishing/staff-settings.ts';
import type { ComparisonLimitStore } from './comparison-limit-store.ts';
import { membersIn, trySearch, type Searched } from '../evaluation/try-search.ts';
import { refusalReason } from '../publishing/probe-settings.ts';

/** The dependencies of staff calls about searches. */
export interface StaffSearchContext extends StaffSettingsContext {
  readonly comparisons: ComparisonLimitStore;
}

/** Results among which a member's rank with the other settings is looked up. */
export const ranked = 200;

/** Results in an answer. */
export const mostShown = 50;

/** Results have six digits, as relevance does. */
const sixDigits = (value: number) => Number(value.toFixed(6));

/** The member as profile knows them now; undefined for one who cannot search: unknown, deactivated, suspended or erased. */
export async function searcherIn<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** The index of a trial, in a request. */
export const searchedIndex = z
  .preprocess(orDefault('live'), z.enum(['live', 'shadow']))
  .default('live')
  .meta({ description: '`shadow`: searches with changes use the index of `covalence index shadow`.' });

/** The settings in force with a change. Throws 403 with problems if they need another index. */
export async function changedSettings(
  change: SettingsChange,
  active: SearchSettings,
  { settings, index }: StaffSearchContext,
  searched: Searched = 'live',
): Promise<Ranking> {
  const { languages, relevance = active.relevance } = change;
  const analysis = languages ? compileAnalysis({ languages }) : active.analysis;
  const version = await index.versions[searched]();
  if (searched === 'shadow' && !version?.filled)
    throw invalidParts([{ path: 'index', problem: 'does not exist: covalence index shadow builds it' }]);
  if ((languages || searched === 'shadow') && missingStems(analysis.stems, version?.stems ?? []).length)
    throw invalidParts([
      languages
        ? {
            path: 'settings.languages',
            problem: 'needs an index with other stems, and can only be published',
          }
        : { path: 'index', problem: 'lacks the stems in force: build it again' },
    ]);
  return { analysis, relevance: relevance ?? settings.active.ofFile };
}

/** The request to Elasticsearch without what staff need not know: whom the member blocks or likes, and where exactly they are. */
function shownQuery({ request }: BuiltSearch, index: string) {
  const { from, size, query, sort, track_total_hits } = request;
  return { index, body: { from, size, query, sort, track_total_hits } };
}

/** Runs the search with some settings. */
async function runVariant(
  asked: SearchInput,
  viewer: Viewer,
  settings: Ranking,
  searched: Searched,
  { index, sites, clock }: StaffSearchContext,
) {
  const now = clock();
  const trial = { members: membersIn(searched, index), settings, now };
  const deep = { ...asked, pagesize: ranked };
  const { origin, search: built, hits, total } = await trySearch(deep, viewer, trial, { sites });
  const shownOrigin = origin?.own ? viewer.member.position : (origin?.position ?? null);
  const shown = searchOf({ ...asked, excluded: [] }, viewer, shownOrigin, settings, { sites, now });
  return {
    total,
    ranks: new Map(hits.map((hit, at) => [idOf(hit), at + 1])),
    matches: readHits(hits.slice(0, asked.pagesize), built),
    totalWeight: built.totalUnits / built.units,
    query: shownQuery(shown, index.aliases[searched]),
  };
}

type VariantRun = Awaited<ReturnType<typeof runVariant>>;

/** The contribution of a criterion, in its own weight. */
function contributionOf(
  { criterion, outcome, weight, gave, synonyms }: Match['explanation'][number],
  totalWeight: number,
) {
  const points = gave * totalWeight;
  const found = synonyms.map(({ typed, words, rule }) => ({ typed, found: words.join(' '), rule }));
  return {
    criterion,
    outcome,
    weight,
    credit: sixDigits(points / weight),
    points: sixDigits(points),
    synonyms: found,
  };
}

/** The reader of the results, and the results' current records. */
interface Reader {
  /** The sites of the role. */
  readonly sites: StaffSites;
  readonly records: ReadonlyMap<number, Record<string, unknown>>;
  readonly context: StaffSearchContext;
}

function shownVariant(
  { total, matches, totalWeight, query }: VariantRun,
  other: VariantRun | undefined,
  { sites, records, context }: Reader,
) {
  const users = matches.map(({ id, relevance, exactmatch, explanation, amongEquals }, at) => {
    const { username, site } = records.get(id) ?? {};
    const isTheirs = coversSite(sites, typeof site === 'number' ? site : undefined);
    return {
      id,
      username: isTheirs && typeof username === 'string' ? username : null,
      rank: at + 1,
      other_rank: other?.ranks.get(id) ?? null,
      relevance,
      exactmatch,
      criteria: explanation
        .filter(({ criterion }) => isTheirs || mayExplain(criterion, site, context))
        .map((one) => contributionOf(one, totalWeight)),
      among_equals: amongEquals,
    };
  });
  return { totalmatches: total, total_weight: totalWeight, users, query };
}

const found = z
  .object({
    id: z.int().meta({ examples: [1002] }),
    username: z
      .string()
      .nullable()
      .meta({
        description:
          'Null for a member of another site than those of the role, or who became invisible just now.',
        examples: ['ben'],
      }),
    rank: z.int().min(1),
    other_rank: z
      .int()
      .nullable()
      .meta({ description: `The rank in the other variant; null beyond ${ranked}, or without one.` }),
    relevance: z.number().min(0).max(1),
    exactmatch: z.boolean(),
    criteria: z.array(
      z
        .object({
          criterion: z.string().meta({ examples: ['smoking'] }),
          outcome: z.enum(['met', 'near', 'missed']),
          weight: z.int().meta({ examples: [4] }),
          credit: z.number().meta({ description: '0 to 1.', examples: [0.5] }),
          points: z.number().meta({ description: 'Weight times credit.', examples: [2] }),
          synonyms: z
            .array(
              z
                .object({ typed: z.string(), found: z.string(), rule: z.string() })
                .meta({ id: 'ComparedSynonym' }),
            )
            .meta({ description: 'The rules by which a text was found, where not as typed alone.' }),
        })
        .meta({ id: 'ComparedCriterion' }),
    ),
    among_equals: z.array(
      z
        .object({
          part: z.enum(equalsPartNames),
          gave: z.number().meta({ description: 'Of 1 over all parts.', examples: [0.25] }),
        })
        .meta({ id: 'ComparedEquals' }),
    ),
  })
  .meta({ id: 'ComparedMember' });

const variant = z
  .object({
    totalmatches: z.int(),
    total_weight: z.number().meta({
      description: 'The weights of the criteria together: points are relevance times this.',
      examples: [8],
    }),
    users: z.array(found),
    query: z
      .object({
        index: z.string().meta({ examples: ['covalence-members'] }),
        body: z
          .looseObject({})
          .meta({ description: 'Without exclusions, measured from the displaced position.' }),
      })
      .meta({ id: 'ComparedQuery' })
      .meta({ description: 'The request to `/{index}/_search` of Elasticsearch.' }),
  })
  .meta({ id: 'ComparedVariant' });

/** POST /staff/search/comparisons: one search as a member, under the settings in force and under others. */
export const compareSearch = endpoint({
  access: 'staff',
  staff: {
    roles: ['search'],
    site: async ({ member }: { readonly member: number }, { profile }: StaffSearchContext) =>
      (await searcherIn(profile.readViewer({ id: member })))?.member.siteid,
    about: ({ member }) => [member],
  },
  operationId: 'compareStaffSearch',
  summary: 'Run a search as a member, under two settings',
  description:
    'Finds whom the member would find with these criteria, under the settings in force and, where `settings` or `index` is given, under those, and says what each criterion contributed, also where the member would not read it. Members whom the member likes, blocks or has passed are included, because leaving them out would reveal this. The member’s site must be one of the role’s; of results on other sites, only what every member reads is explained. Nothing is counted against limits of the member, and nobody is notified. A staff account makes up to 600 comparisons an hour. The call is recorded with the names of the criteria. 404 for a member who cannot search. `problems` of a 403 names parts of the settings that are not valid.',
  answer: 'The results of both.',
  example: {
    request: {
      member: 1001,
      criteria: { age: { from: 30, to: 45 }, smoking: { value: 10 } },
      sortby: 'relevance',
      pagesize: 20,
    },
  },
  statuses: [404],
  codes: searchCodes,
  input: z.strictObject({
    member: wholeNumber
      .pipe(z.int().min(1).max(Number.MAX_SAFE_INTEGER))
      .meta({ type: 'integer', minimum: 1, description: '`id` of the member who searches.' }),
    criteria: z
      .custom<Record<string, unknown>>(isMap)
      .transform((given) => normalizeNames(given, canonicalName))
      .meta({ description: 'As POST /searches takes them.', $ref: '#/components/schemas/SearchCriteria' }),
    sortby: z
      .preprocess(orDefault('relevance'), z.enum(sortBys))
      .default('relevance')
      .meta({ description: 'The order.' }),
    pagesize: z
      .preprocess(orDefault(20), wholeNumber.pipe(z.int().min(1).max(mostShown)))
      .default(20)
      .meta({ type: 'integer', minimum: 1, maximum: mostShown, default: 20, description: 'Results.' }),
    settings: z
      .strictObject(settingsParameters)
      .optional()
      .meta({ description: 'What differs from the settings in force.' }),
    as_subscriber: z
      .boolean()
      .default(false)
      .meta({ description: 'Also with criteria for subscribers, as judgment sets are run.' }),
    index: searchedIndex,
  }),
  output: z
    .object({
      version: z.int().meta({ description: 'The version in force.', examples: [3] }),
      siteid: z.int().meta({ description: 'The site of the member, whose settings count.', examples: [1] }),
      current: variant,
      changed: variant
        .nullable()
        .meta({ description: 'Under `settings`, and in `index`; null without either.' }),
    })
    .meta({ id: 'StaffSearchComparison' }),
  async handler({ input, caller, sites }, context: StaffSearchContext) {
    const { member, criteria, sortby, pagesize, settings: given, as_subscriber, index } = input;
    const other = given && checkedChange(given, 'settings.');
    const change = other ?? (index === 'shadow' ? {} : undefined);
    await context.comparisons.use(caller.memberId, 'comparisons');
    const [active, known] = await Promise.all([
      context.settings.active.current(),
      // Results without those whom the member likes or blocks would name these.
      searcherIn(context.relations.read(member, [])),
    ]);
    if (!known) throw notFound();
    const { viewer, excluded } = known;
    const searcher = searcherOf(viewer, context);
    const parsed = parseSearch(criteria, { ...searcher, ...(as_subscriber && { platinum: true }) });
    if (parsed.failcodes.length) throw invalidArgument(...parsed.failcodes);
    const changed = change && (await changedSettings(change, active, context, index));
    context.security.record('staff_decision', {
      staff: caller.memberId,
      memberNumber: member,
      reason: 'searched_as_member',
      criteria: parsed.criteria.map(({ criterion }) => criterion.name),
    });
    const asked = { ...parsed, excluded, explain: true, sortby, page: 1, pagesize };
    const [before, after] = await Promise.all([
      runVariant(asked, viewer, active, 'live', context),
      changed &&
        runVariant(asked, viewer, changed, index, context).catch((error: unknown) => {
          const reason = refusalReason(error);
          if (reason === undefined) throw error;
          throw invalidParts([
            { path: 'settings.relevance', problem: `is refused by Elasticsearch: ${reason}` },
          ]);
        }),
    ]);
    const ids = [...new Set([before, after].flatMap((one) => one?.matches ?? []).map(({ id }) => id))];
    const records = await recordsById(member, ids, [], context, { for_staff: true });
    const reader = { sites, records, context };
    return {
      version: active.version,
      siteid: viewer.member.siteid,
      current: shownVariant(before, after, reader),
      changed: after ? shownVariant(after, before, reader) : null,
    };
  },
});
