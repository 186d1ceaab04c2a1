import { utcDay } from '@covalence/contract/time';
import { sumOf } from '@covalence/runtime/sum';
import { classText } from './describe-search.ts';
import { weekOf } from './pseudonyms.ts';
import { examinedPlaces, type Examined, type Shown } from './position-bias.ts';
import {
  actions,
  type Action,
  type RecordedAction,
  type RecordedSearch,
  type UsageStore,
} from './usage-store.ts';

/** A grade of a member for a kind of search, from what searchers did. */
export interface UseJudgment {
  /** Site, day and kind of the search; members have other names on other days. */
  readonly topic: string;
  /** The name of the member on that day. */
  readonly shown: string;
  /** 0 to 3, by the attraction relative to that of all members of the topic. */
  readonly grade: number;
}

/** The use of one kind of search with one version of the settings. */
export interface UseOfVersion {
  readonly criteria: string;
  readonly settings: number;
  /** Each counts once a week, because the pseudonym changes. */
  readonly searchers: number;
  /** Results that were shown to a searcher, and those of them that the searcher acted on. */
  readonly results: number;
  readonly acted: number;
  /** Of a hundred results that are looked at, those that are acted on; null if the looks are unknown. */
  readonly rate: number | null;
}

/** Judgments from use. */
export interface UseJudgments {
  /** Searches that were read. */
  readonly searches: number;
  /** Whether these are all. */
  readonly complete: boolean;
  /** Looks by position, or by the last position of a range; null if unknown. Empty if too little is known. */
  readonly examined: readonly { readonly upTo: number; readonly looks: number | null }[];
  readonly judgments: readonly UseJudgment[];
  readonly versions: readonly UseOfVersion[];
}

/** Results are reported only with this many different searchers in a week, so that the actions of one cannot be read. */
const fewestSearchers = 5;

/** The first positions each, then ranges of them, by their last position; later ones are left out. */
const lastOf = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100];

/** Grades 1, 2 and 3 begin at these multiples of the mean attraction of a topic. */
const gradesFrom = [0.5, 1, 2];

/** Looks by which an attraction is drawn to the mean of its topic, because few searchers act by chance. */
const looksOfMean = 3;

/** The actions that speak for a result. */
const countedBy = { like: ['like', 'message', 'reply'], view: actions } as const;

/** One searcher's view of a member on a day, in any number of searches. */
interface Sight {
  readonly place: number;
  readonly settings: number;
  acted: boolean;
}

/** A topic on its day: by member and searcher. */
type Sights = Map<string, Map<string, Sight>>;

interface Topic {
  readonly name: string;
  readonly criteria: string;
  readonly week: number;
  readonly members: Sights;
}

/** Notes the results of a search. Each searcher counts once for a member of a topic, at the best position. */
function note(search: RecordedSearch, topic: Topic, isActed: (shown: string) => boolean): void {
  for (const [index, shown] of search.shown.entries()) {
    const place = lastOf.findIndex((last) => search.first + index <= last);
    if (shown === '' || place < 0) continue;
    const bySearcher = topic.members.get(shown) ?? new Map<string, Sight>();
    topic.members.set(shown, bySearcher);
    const seen = bySearcher.get(search.searcher);
    const acted = isActed(shown) || seen?.acted === true;
    const best = seen && seen.place <= place ? seen : { place, settings: search.versions.settings };
    bySearcher.set(search.searcher, { ...best, acted });
  }
}

const keyOf = ({ search, shown }: Pick<RecordedAction, 'search' | 'shown'>) => `${search} ${shown}`;

/** The stored searches and actions. */
type Recorded = Pick<UsageStore, 'searchesSince' | 'actedOn'>;

/** Searches whose actions are read together: those of all may not fit into memory. */
const searchesAtOnce = 500;

/** The searches that are judged, by default all since a day, and by all actions on their results. */
interface Span {
  readonly since: Date;
  /** The day, not included, with which searches and actions end. */
  readonly before?: Date;
  /** The first so many searches. */
  readonly most?: number;
}

async function readTopics(
  store: Recorded,
  { since, before, most = Infinity }: Span,
  counted: readonly Action[],
) {
  const topics = new Map<string, Topic>();
  const topicOf = ({ criteria: given, sortby, siteid, day }: RecordedSearch) => {
    const criteria = classText(given, sortby);
    const name = `${siteid}/${utcDay(day)}/${criteria.replaceAll(' ', '_')}`;
    const topic: Topic = topics.get(name) ?? { name, criteria, week: weekOf(day), members: new Map() };
    topics.set(name, topic);
    return topic;
  };
  const noteAll = async (some: readonly RecordedSearch[]) => {
    const done = await store.actedOn(
      some.map(({ _id }) => _id),
      counted,
      before,
    );
    const acted = new Set(done.map(keyOf));
    for (const search of some)
      note(search, topicOf(search), (shown) => acted.has(keyOf({ search: search._id, shown })));
  };
  let searches = 0;
  let complete = true;
  let chunk: RecordedSearch[] = [];
  for await (const search of store.searchesSince(since, { before })) {
    complete = searches < most;
    if (!complete) break;
    searches += 1;
    chunk.push(search);
    if (chunk.length < searchesAtOnce) continue;
    await noteAll(chunk);
    chunk = [];
  }
  await noteAll(chunk);
  return { topics: [...topics.values()], searches, complete };
}

/** Counts by pair and place. */
const shownIn = ({ name, members }: Topic): Shown[] =>
  [...members].flatMap(([member, bySearcher]) =>
    [...Map.groupBy(bySearcher.values(), ({ place }) => place)].map(([place, sights]) => ({
      pair: `${name} ${member}`,
      place,
      times: sights.length,
      acted: sumOf(sights, (sight) => Number(sight.acted)),
    })),
  );

/** Counts looks and actions, where the looks are known. */
function looksOf(sights: Iterable<Sight>, examined: Examined): { looks: number; acted: number } {
  const known = [...sights].filter(({ place }) => examined[place] !== undefined);
  return {
    looks: sumOf(known, ({ place }) => examined[place] ?? 0),
    acted: sumOf(known, (sight) => Number(sight.acted)),
  };
}

function gradesOf({ name, members }: Topic, examined: Examined): UseJudgment[] {
  const seen = [...members].flatMap(([shown, bySearcher]) =>
    bySearcher.size < fewestSearchers ? [] : [{ shown, ...looksOf(bySearcher.values(), examined) }],
  );
  const mean = sumOf(seen, ({ acted }) => acted) / sumOf(seen, ({ looks }) => looks);
  // Nobody acted: it says nothing about the order.
  if (!(mean > 0)) return [];
  return seen
    .filter(({ looks }) => looks > 0)
    .map(({ shown, looks, acted }) => {
      const attraction = (acted + looksOfMean * mean) / (looks + looksOfMean);
      return { topic: name, shown, grade: gradesFrom.filter((from) => attraction >= from * mean).length };
    })
    .sort((one, other) => other.grade - one.grade || (one.shown < other.shown ? -1 : 1));
}

const searchersIn = (sights: readonly { readonly searcher: string }[]): number =>
  new Set(sights.map(({ searcher }) => searcher)).size;

function versionsOf(topics: readonly Topic[], examined: Examined): UseOfVersion[] {
  const seen = topics.flatMap(({ criteria, week, members }) =>
    [...members.values()].flatMap((bySearcher) =>
      [...bySearcher].map(([searcher, sight]) => ({ ...sight, criteria, week, searcher })),
    ),
  );
  return [...Map.groupBy(seen, ({ criteria, settings }) => `${criteria} ${settings}`).values()]
    .flatMap((sights) => {
      const [first] = sights;
      const inWeeks = [...Map.groupBy(sights, ({ week }) => week).values()].map(searchersIn);
      const { looks, acted } = looksOf(sights, examined);
      if (!first || Math.max(...inWeeks) < fewestSearchers) return [];
      const { criteria, settings } = first;
      const searchers = searchersIn(sights);
      const all = { results: sights.length, acted: sumOf(sights, (sight) => Number(sight.acted)) };
      return [{ criteria, settings, searchers, ...all, rate: looks > 0 ? (100 * acted) / looks : null }];
    })
    .sort((one, other) => other.results - one.results);
}

/** Judges the results of searches by what searchers did, with the bias of their positions corrected. */
export async function judgeUse(
  store: Recorded,
  span: Span,
  by: keyof typeof countedBy,
): Promise<UseJudgments> {
  const { topics, searches, complete } = await readTopics(store, span, countedBy[by]);
  const examined = examinedPlaces(topics.flatMap(shownIn));
  return {
    searches,
    complete,
    examined: Array.from(examined, (looks, place) => ({ upTo: lastOf[place] ?? 0, looks: looks ?? null })),
    judgments: topics.flatMap((topic) => gradesOf(topic, examined)),
    versions: versionsOf(topics, examined),
  };
}
