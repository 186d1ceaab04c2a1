import type { CriterionOutcome, Match } from '../relevance/read-hits.ts';

/** A result of two searches. */
interface Move {
  readonly id: number;
  /** The ranks before and after, from 1; null where it is not among the results. */
  readonly before: number | null;
  readonly after: number | null;
  /** Criteria whose share of the relevance changed. */
  readonly why: readonly { readonly criterion: string; readonly before: number; readonly after: number }[];
}

/** Shares that differ less are the same. */
const smallest = 0.0005;

const shareOf = (match: Match | undefined, criterion: string): number =>
  match?.explanation.find((one: CriterionOutcome) => one.criterion === criterion)?.gave ?? 0;

function whyOf(before: Match | undefined, after: Match | undefined): Move['why'] {
  if (!before || !after) return [];
  return after.explanation.flatMap(({ criterion, gave }) => {
    const share = shareOf(before, criterion);
    return Math.abs(gave - share) < smallest ? [] : [{ criterion, before: share, after: gave }];
  });
}

const ranks = (matches: readonly Match[]) => new Map(matches.map((match, at) => [match.id, { match, at }]));

const rankOf = (found: { at: number } | undefined) => (found ? found.at + 1 : null);

/** The results among the first `most` of either search, in the order of the second one; then those that it lost. */
export function movesBetween(before: readonly Match[], after: readonly Match[], most: number): Move[] {
  const [then, now] = [ranks(before), ranks(after)];
  const ids = new Set([...after.slice(0, most), ...before.slice(0, most)].map(({ id }) => id));
  return [...ids].map((id) => {
    const [old, current] = [then.get(id), now.get(id)];
    const why = whyOf(old?.match, current?.match);
    return { id, before: rankOf(old), after: rankOf(current), why };
  });
}
