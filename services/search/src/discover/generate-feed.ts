import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { dayMs } from '@covalence/contract/time';
import { candidateOf, type Candidate } from '../predicates/criterion-predicates.ts';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { sourceOf } from '../index/member-document.ts';
import type { Viewer } from '../criteria/relations.ts';
import type { ProfileSnapshot } from './profile-snapshot-store.ts';
import { feedSize, rankFeed, type FeedCandidate } from '../matching/rank-feed.ts';
import { chanceOfLike, chanceOfPresence } from './chances.ts';
import type { DiscoverContext } from './discover.ts';
import { pseudoRandom, findCandidates, tastesOf, type FeedInputs } from './find-candidates.ts';
import { affinityOf, choicesIn, inSteps } from './tastes.ts';
import { isWithinLimits, shareMet, preferencesOf } from './preferences.ts';

/** The most queries of a feed: many may be found who look for others. */
const mostQueries = 3;

/** Members are new until a matching has seen them for a day. */
const newMs = 2 * dayMs;

/** A member's search: their match criteria, by default the ages of the profile and members nearby. */
export function effectiveCriteria(
  { agefrom, ageto, position }: Viewer,
  stored: StoredCriteria,
): StoredCriteria {
  const [from, to] = criterionByName('age')?.bounds ?? [];
  const hasPlace = ['zipcode', 'state', 'location'].some((name) => name in stored);
  return {
    age: { from: agefrom ?? from, to: ageto ?? to },
    ...(!hasPlace && position && { location: { within: -1 } }),
    ...stored,
  };
}

/** A member as others' criteria see them. */
function seenAs({ member }: Viewer, { seen_as }: ProfileSnapshot, now: Date): Candidate {
  return candidateOf({ ...sourceOf(member), ...seen_as, keywords: [] }, now);
}

/**
 * Generates a feed: the ids of members who are within the limits of the viewer, and the viewer within theirs, the best for both first.
 * Returns with it the tastes of the viewer that were learned for it.
 */
export async function generateFeed(inputs: FeedInputs, context: DiscoverContext) {
  const { viewer, criteria, day } = inputs;
  const now = context.clock();
  const parsed = parseSearch(criteria, searcherOf(viewer, context));
  const { relevance } = await context.settings.active.current();
  const choices = choicesIn(inputs.relations.values());
  const learned = choices && tastesOf(choices, context);
  const options = { sites: context.sites, relevance, now };
  const candidates = new Map<number, FeedCandidate>();
  const priceOf = new Map<number, number>();
  for (let page = 1; page <= mostQueries && candidates.size < feedSize.enough; page += 1) {
    const [{ found, prices, isLast }, snapshot] = await Promise.all([
      findCandidates({ ...parsed, learned, page }, inputs, context),
      inputs.snapshot,
    ]);
    const seen = seenAs(viewer, snapshot, now);
    for (const { id, relevance: fit, affinity, source, criteria: theirs, tastes, isOwed } of found) {
      const preferences = preferencesOf(source, theirs, options);
      if (!isWithinLimits(preferences, seen)) continue;
      const price = prices.get(id);
      if (price !== undefined) priceOf.set(id, price);
      candidates.set(id, {
        id,
        likes: chanceOfLike(fit, affinity),
        answers:
          chanceOfLike(shareMet(preferences, seen), inSteps(affinityOf(seen.facts.traits, tastes))) *
          chanceOfPresence(source, now),
        isNew: now.getTime() - Date.parse(source.joined) < newMs,
        // A later page may find who was suggested.
        isOwed: isOwed || candidates.get(id)?.isOwed === true,
      });
    }
    if (isLast) break;
  }
  const { seed } = await inputs.snapshot;
  const draw = (id: number) => pseudoRandom(`${seed}:${day}:${id}`);
  return { members: rankFeed([...candidates.values()], priceOf, draw), tastes: (await learned) ?? [] };
}
