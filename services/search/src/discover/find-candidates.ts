import type { Position } from '@covalence/contract/position';
import type { ParsedSearch } from '../criteria/parse-search.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { numberOf } from '../index/draws.ts';
import { visibleSource, type VisibleSource } from '../index/member-document.ts';
import { feedSize } from '../matching/rank-feed.ts';
import type { Relation, Viewer } from '../criteria/relations.ts';
import type { Columns } from '../relevance/read-hits.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { ProfileSnapshot } from './profile-snapshot-store.ts';
import { prepareSearch } from '../searches/find-members.ts';
import { shownAnswers } from '../searches/shown-answers.ts';
import type { DiscoverContext } from './discover.ts';
import { affinityOf, learnTastes, type Choices, type Taste } from './tastes.ts';

/** The viewer of a feed, and what it is generated from. */
export interface FeedInputs {
  readonly viewer: Viewer;
  readonly excluded: readonly number[];
  readonly relations: ReadonlyMap<number, Relation>;
  /** The viewer's criteria. */
  readonly criteria: StoredCriteria;
  readonly day: string;
  readonly snapshot: Promise<ProfileSnapshot>;
}

/** The order in which candidates are taken from those of the same relevance. */
const equals = { activity: 3, photo: 1, exposure: 3 };

/** Columns read of a candidate, apart from the answers that tastes are about. */
const columns = [
  'siteid',
  'joined',
  'last_seen',
  'answer_rate',
  'position',
  'country',
  'platinum_until',
] as const;

const answerIn = ({ field }: Taste) => `traits.${field}`;

const positionIn = (text: string): Position => {
  const [lat = 0, lon = 0] = text.split(',').map(Number);
  return { lat, lon };
};

/** The columns of a candidate as a source. */
function sourceIn(read: Columns) {
  const numberIn = (name: (typeof columns)[number]) => Number(read[name]?.[0]);
  const textIn = (name: (typeof columns)[number]) => read[name]?.[0]?.toString() ?? null;
  const position = textIn('position');
  return {
    siteid: numberIn('siteid'),
    joined: textIn('joined') ?? '',
    last_seen: textIn('last_seen'),
    answer_rate: numberIn('answer_rate'),
    position: position === null ? null : positionIn(position),
    country: textIn('country'),
    platinum_until: textIn('platinum_until'),
  };
}

const traitsIn = (read: Columns, tastes: readonly Taste[]) =>
  Object.fromEntries(tastes.map((taste) => [taste.field, [...(read[answerIn(taste)] ?? [])]]));

/** A number from 0 to 1 that looks random and is always the same for a text. */
export const pseudoRandom = (text: string): number => numberOf(text) / 2 ** 31;

/** Members whom the feeds of a week leave out by chance, so that nobody who is missing must have limits. */
const isLeftOut = (id: number, { seed }: ProfileSnapshot, share: number): boolean =>
  pseudoRandom(`${seed}:${id}`) < share;

/** Answers of a member that their site shows everyone. */
function shownTraits({ siteid, traits }: VisibleSource, context: DiscoverContext): VisibleSource['traits'] {
  const shown = new Set(shownAnswers(Object.keys(traits), siteid, context));
  return Object.fromEntries(Object.entries(traits).filter(([name]) => shown.has(name)));
}

/** Learns what a member likes from answers that those whom they liked and passed show everyone: a member can export it. */
export async function tastesOf({ liked, passed }: Choices, context: DiscoverContext): Promise<Taste[]> {
  const { index } = context;
  const ids = [...liked, ...passed];
  const read = await index.documents.read(ids, index.aliases.live, ['visible', 'siteid', 'traits']);
  const traits = (some: readonly number[]) =>
    some.flatMap((id) => {
      const source = visibleSource(read.get(id)?.source);
      return source ? [shownTraits(source, context)] : [];
    });
  return learnTastes(traits(liked), traits(passed));
}

/**
 * Members whom one query finds, without those whom the week leaves out, and what is known of them. The first query has another one beside
 * it, which finds whom the daily matching suggests.
 */
export async function findCandidates(
  asking: ParsedSearch & { readonly page: number; readonly learned: Promise<Taste[]> | undefined },
  { viewer, excluded, snapshot }: FeedInputs,
  context: DiscoverContext,
) {
  const { discover, saved, settings } = context;
  const tastes = (await asking.learned) ?? [];
  const asked = {
    ...asking,
    excluded,
    equals,
    outcomes: false,
    columns: [...columns, ...new Set(tastes.map(answerIn))],
    sortby: 'relevance',
    pagesize: feedSize.candidates,
  } as const;
  const search = await prepareSearch(asked, viewer, context);
  const suggest = async () => {
    const result = asking.page === 1 ? await discover.matchingResults.find(viewer.member.id) : undefined;
    const among = result?.suggested ?? [];
    const found = among.length ? await search.run(search.relevance, { among }) : undefined;
    return { owed: new Set(result?.owed), matches: found?.matches ?? [] };
  };
  const [{ matches }, suggested, seen] = await Promise.all([
    search.run(search.relevance),
    suggest(),
    snapshot,
    search.count(),
  ]);
  const { relevance: ranking } = await settings.active.current();
  const { discover_left_out: leftOut } = siteRelevance(ranking, viewer.member.siteid);
  const { owed } = suggested;
  const all = new Map([...matches, ...suggested.matches].map((match) => [match.id, match]));
  const kept = [...all.values()].filter(({ id }) => owed.has(id) || !isLeftOut(id, seen, leftOut));
  const ids = kept.map(({ id }) => id);
  const [criteria, prices, theirs] = await Promise.all([
    saved.matchCriteria.readMany(ids),
    discover.matchingResults.prices(ids),
    discover.tastes.read(ids),
  ]);
  const found = kept.map(({ id, relevance, columns: read }) => ({
    id,
    relevance,
    affinity: affinityOf(traitsIn(read, tastes), tastes),
    source: sourceIn(read),
    criteria: criteria.get(id) ?? {},
    tastes: theirs.get(id) ?? [],
    isOwed: owed.has(id),
  }));
  return { found, prices, isLast: matches.length < feedSize.candidates };
}
