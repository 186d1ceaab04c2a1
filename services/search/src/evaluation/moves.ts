import type { CriterionOutcome, Match } from '../relevance/read-hits.ts';

/** Shares that differ less are the same. */
const smallest = 0.0005;

const shareOf = (match: Match | undefined, criterion: string): number =>
  match?.explanation.find((one: CriterionOutcome) => one.criterion === criterion)?.gave ?? 0;

/** Criteria whose share of the relevance changed. */
function whyOf(before: Match | undefined, after: Match | undefined) {
  if (!before || !after) return [];
  return after.explanation.flatMap(({ criterion, gave }) => {
    const share = shareOf(before, criterion);
    return Math.abs(gave - share) < smallest ? [] : [{ criterion, before: share, after: gave }];
  });
}

const rankIn = (found: readonly number[], member: number) => found.indexOf(member) + 1 || null;

/**
 * The members among the first `most` of either search, in the order of the second one, then those that it lost; with their ranks from 1,
 * null where they are not among the results.
 */
export const ranksBetween = (before: readonly number[], after: readonly number[], most: number) =>
  [...new Set([...after.slice(0, most), ...before.slice(0, most)])].map((member) => ({
    member,
    before: rankIn(before, member),
    after: rankIn(after, member),
  }));

const byId = (matches: readonly Match[]) => new Map(matches.map((match) => [match.id, match]));

/** The same of results, and why their relevance changed. */
export function movesBetween(before: readonly Match[], after: readonly Match[], most: number) {
  const [then, now] = [byId(before), byId(after)];
  return ranksBetween([...then.keys()], [...now.keys()], most).map((move) => ({
    ...move,
    why: whyOf(then.get(move.member), now.get(move.member)),
  }));
}
