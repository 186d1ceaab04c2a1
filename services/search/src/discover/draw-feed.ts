import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { candidateOf, type Candidate } from '../alerts/alert-tests.ts';
import { parseSearch, type ParsedSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { numberOf } from '../index/draws.ts';
import { sourceOf, visibleSource, type VisibleSource } from '../index/member-document.ts';
import type { Relation, Viewer } from '../relations/relations.ts';
import type { Match } from '../relevance/read-hits.ts';
import type { Feed } from '../saved/feed-store.ts';
import { findMembers } from '../searches/find-members.ts';
import { exploration, feedScore, usualPrice } from '../matching/prices.ts';
import { chanceOfLike, chanceOfPresence, unknownTaste } from './chances.ts';
import type { DiscoverContext } from './discover.ts';
import { affinityOf, choicesIn, learnTastes, type Taste } from './tastes.ts';
import { mayMeet, sharesMet, wishesOf, type Wishes } from './wishes.ts';

/** Members of a feed. */
const mostMembers = 100;

/** Members whom one query finds, and the most queries of a draw: many may be found who look for others. */
const window = { size: 150, most: 4 };

/** The order in which candidates are taken from those of the same relevance. */
const equals = { activity: 3, photo: 1, exposure: 3 };

/** The part of a score that is chance, another one each day: as much as a step of wishes, so that an order tells little of them. */
const chance = 0.6;

/** How much less than usual a member's price may be: criteria that fit nobody for a night make nobody the first in every feed. */
const mostDiscount = 1;

/** Members are new until a matching has seen them for a day. */
const newMs = 2 * 86_400_000;

/** What a member looks for: their match criteria, by default the ages of the profile, and who is near. */
export function lookingFor({ agefrom, ageto, position }: Viewer, stored: StoredCriteria): StoredCriteria {
  const [from, to] = criterionByName('age')?.bounds ?? [];
  const hasPlace = ['zipcode', 'state', 'location'].some((name) => name in stored);
  return {
    age: { from: agefrom ?? from, to: ageto ?? to },
    ...(!hasPlace && position && { location: { within: -1 } }),
    ...stored,
  };
}

/** A member as others' criteria see them all day. */
function seenAs({ member }: Viewer, { seen_as }: Feed, now: Date): Candidate {
  return candidateOf({ ...sourceOf(member), ...seen_as, keywords: [] }, now);
}

async function tastesOf(relations: Iterable<Relation>, { index }: DiscoverContext): Promise<Taste[]> {
  const { liked, passed } = choicesIn(relations);
  const documents = await index.documents.read([...liked, ...passed], index.aliases.live);
  const traits = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const source = visibleSource(documents.get(id)?.source);
      return source ? [source.traits] : [];
    });
  return learnTastes(traits(liked), traits(passed));
}

/** Whom a feed is drawn for. */
interface Draw {
  readonly viewer: Viewer;
  readonly excluded: readonly number[];
  readonly relations: Iterable<Relation>;
  /** What the viewer looks for. */
  readonly criteria: StoredCriteria;
  readonly feed: Feed;
}

interface Rating {
  readonly seen: Candidate;
  readonly tastes: readonly Taste[];
  readonly now: Date;
}

/** A candidate with the chances that the viewer likes them, and that they answer with a like. */
interface Rated {
  readonly id: number;
  readonly likes: number;
  readonly answers: number;
  readonly isNew: boolean;
}

function rated(match: Match, source: VisibleSource, wishes: Wishes, { seen, tastes, now }: Rating): Rated {
  return {
    id: match.id,
    likes: chanceOfLike(match.relevance, affinityOf(source.traits, tastes)),
    answers: chanceOfLike(sharesMet(wishes, seen), unknownTaste) * chanceOfPresence(source, now),
    isNew: now.getTime() - Date.parse(source.joined) < newMs,
  };
}

async function candidates(
  parsed: ParsedSearch,
  { viewer, excluded }: Draw,
  page: number,
  context: DiscoverContext,
) {
  const { index, saved } = context;
  const asked = {
    ...parsed,
    excluded,
    equals,
    explain: false,
    sortby: 'relevance',
    page,
    pagesize: window.size,
  } as const;
  const { matches } = await findMembers(asked, viewer, context);
  const ids = matches.map(({ id }) => id);
  const [documents, criteria] = await Promise.all([
    index.documents.read(ids, index.aliases.live),
    saved.matchCriteria.readMany(ids),
  ]);
  return matches.map((match) => ({
    match,
    source: visibleSource(documents.get(match.id)?.source),
    criteria: criteria.get(match.id) ?? {},
  }));
}

/** Members in the order of a feed: by the chance that both like one another, less the price of showing the member, and a little chance. */
async function order(seed: string, candidates: readonly Rated[], { saved }: DiscoverContext) {
  const prices = await saved.standings.prices(candidates.map(({ id }) => id));
  const usual = usualPrice([...prices.values()]);
  const scores = new Map(
    candidates.map(({ id, likes, answers, isNew }) => {
      const drawn = numberOf(`${seed}:${id}`) / 2 ** 31;
      const explored = isNew && prices.size > 0 && !prices.has(id);
      const chances = chance * drawn + (explored ? exploration(0, drawn) : 0);
      const price = Math.max(prices.get(id) ?? usual, usual - mostDiscount);
      return [id, feedScore(likes, answers, price) + chances] as const;
    }),
  );
  return [...scores.keys()]
    .toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
    .slice(0, mostMembers);
}

/** Draws a feed: the ids of members who are within the limits of the viewer, and the viewer within theirs, the best for both first. */
export async function drawFeed(draw: Draw, context: DiscoverContext): Promise<number[]> {
  const { viewer, criteria, feed } = draw;
  const now = context.clock();
  const parsed = parseSearch(criteria, searcherOf(viewer, context));
  const seen = seenAs(viewer, feed, now);
  const tasted = tastesOf(draw.relations, context);
  const options = { sites: context.sites, relevance: context.searches.relevance, now };
  const found: Rated[] = [];
  for (let page = 1; page <= window.most && found.length < mostMembers; page += 1) {
    const [some, tastes] = await Promise.all([candidates(parsed, draw, page, context), tasted]);
    for (const { match, source, criteria: theirs } of some) {
      const wishes = source && wishesOf(source, theirs, options);
      if (wishes && mayMeet(wishes, seen)) found.push(rated(match, source, wishes, { seen, tastes, now }));
    }
    if (some.length < window.size) break;
  }
  return order(feed.seed, found, context);
}
