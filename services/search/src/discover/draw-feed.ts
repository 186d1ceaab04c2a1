import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { candidateOf, type Candidate } from '../alerts/alert-tests.ts';
import { parseSearch, type ParsedSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { numberOf } from '../index/draws.ts';
import { sourceOf, visibleSource, type VisibleSource } from '../index/member-document.ts';
import type { Relation, Viewer } from '../relations/relations.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { Appearance } from '../saved/appearance-store.ts';
import { findMembers } from '../searches/find-members.ts';
import { feedSize, rankFeed, type FeedCandidate } from '../matching/rank-feed.ts';
import { chanceOfLike, chanceOfPresence, unknownTaste } from './chances.ts';
import type { DiscoverContext } from './discover.ts';
import { affinityOf, choicesIn, learnTastes, type Choices, type Taste } from './tastes.ts';
import { mayMeet, sharesMet, wishesOf } from './wishes.ts';

/** The most queries of a draw: many may be found who look for others. */
const mostQueries = 3;

/** The order in which candidates are taken from those of the same relevance. */
const equals = { activity: 3, photo: 1, exposure: 3 };

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

/** A member as others' criteria see them. */
function seenAs({ member }: Viewer, { seen_as }: Appearance, now: Date): Candidate {
  return candidateOf({ ...sourceOf(member), ...seen_as, keywords: [] }, now);
}

/** A number from 0 to 1 that looks random and is always the same for a text. */
const drawOf = (text: string): number => numberOf(text) / 2 ** 31;

/** Members whom the feeds of a week leave out by chance, so that nobody who is missing must have limits. */
const isLeftOut = (id: number, { seed }: Appearance, share: number): boolean =>
  drawOf(`${seed}:${id}`) < share;

async function tastesOf({ liked, passed }: Choices, { index }: DiscoverContext): Promise<Taste[]> {
  const read = await index.documents.read([...liked, ...passed], index.aliases.live, ['visible', 'traits']);
  const traits = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const source = visibleSource(read.get(id)?.source);
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
  readonly day: string;
  readonly appearance: Promise<Appearance>;
}

/** What is read of a candidate, beside answers where the viewer has tastes. */
const columns = [
  'siteid',
  'joined',
  'last_seen',
  'answer_rate',
  'position',
  'country',
  'platinum_until',
] as const satisfies readonly (keyof VisibleSource)[];

type CandidateSource = Pick<VisibleSource, (typeof columns)[number]> & Partial<Pick<VisibleSource, 'traits'>>;

/** Members whom one query finds, without those whom the week leaves out, and what is known of them. */
async function findCandidates(
  search: ParsedSearch & { readonly source: readonly string[]; readonly page: number },
  { viewer, excluded, appearance }: Draw,
  context: DiscoverContext,
) {
  const { saved, settings } = context;
  const asked = {
    ...search,
    excluded,
    equals,
    outcomes: false,
    sortby: 'relevance',
    pagesize: feedSize.candidates,
  } as const;
  const [{ matches }, seen] = await Promise.all([findMembers(asked, viewer, context), appearance]);
  const { relevance: ranking } = await settings.active.current();
  const { discoverLeftOut } = siteRelevance(ranking, viewer.member.siteid);
  const kept = matches.filter(({ id }) => !isLeftOut(id, seen, discoverLeftOut));
  const ids = kept.map(({ id }) => id);
  const [criteria, prices] = await Promise.all([
    saved.matchCriteria.readMany(ids),
    saved.standings.prices(ids),
  ]);
  const found = kept.map(({ id, relevance, source }) => ({
    id,
    relevance,
    source: source as CandidateSource,
    criteria: criteria.get(id) ?? {},
  }));
  return { found, prices, isLast: matches.length < feedSize.candidates };
}

/** Draws a feed: the ids of members who are within the limits of the viewer, and the viewer within theirs, the best for both first. */
export async function drawFeed(draw: Draw, context: DiscoverContext): Promise<number[]> {
  const { viewer, criteria, day } = draw;
  const now = context.clock();
  const parsed = parseSearch(criteria, searcherOf(viewer, context));
  const choices = choicesIn(draw.relations);
  const learned = choices ? tastesOf(choices, context) : [];
  const source = choices ? [...columns, 'traits'] : columns;
  const { relevance } = await context.settings.active.current();
  const options = { sites: context.sites, relevance, now };
  const candidates: FeedCandidate[] = [];
  const priceOf = new Map<number, number>();
  for (let page = 1; page <= mostQueries && candidates.length < feedSize.enough; page += 1) {
    const [{ found, prices, isLast }, tastes, appearance] = await Promise.all([
      findCandidates({ ...parsed, source, page }, draw, context),
      learned,
      draw.appearance,
    ]);
    const seen = seenAs(viewer, appearance, now);
    for (const { id, relevance: fit, source, criteria: theirs } of found) {
      const wishes = wishesOf(source, theirs, options);
      if (!mayMeet(wishes, seen)) continue;
      const price = prices.get(id);
      if (price !== undefined) priceOf.set(id, price);
      candidates.push({
        id,
        likes: chanceOfLike(fit, affinityOf(source.traits ?? {}, tastes)),
        answers: chanceOfLike(sharesMet(wishes, seen), unknownTaste) * chanceOfPresence(source, now),
        isNew: now.getTime() - Date.parse(source.joined) < newMs,
      });
    }
    if (isLast) break;
  }
  const { seed } = await draw.appearance;
  return rankFeed(candidates, priceOf, (id) => drawOf(`${seed}:${day}:${id}`));
}
