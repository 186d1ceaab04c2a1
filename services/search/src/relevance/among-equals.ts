import { dayMs, startOfUtcDay } from '@covalence/contract/time';
import { drawCount, numberOf } from '../index/draws.ts';
import { constant, everyone, falling, type EsQuery } from './es-query.ts';

/** Parts of the order of members with the same relevance. */
export const equalsParts = ['activity', 'photo', 'answers', 'answer_rate', 'newness', 'exposure'] as const;

/** A part of the order among equals. */
export type EqualsPart = (typeof equalsParts)[number];

/** Steps of the order among equals, which the score has beside each unit of relevance. */
export const equalsSteps = 8;

/** Steps by which words that are not found as typed come behind those that are: half of all. */
export const typedSteps = 4;

/** The most that the parts score together, if texts are searched too: the sum is rounded to a whole step. */
export const mostScore = (hasTexts: boolean): number => equalsSteps - 1 - (hasTexts ? typedSteps : 0);

/** The seed of the draw: it differs by day and searcher, and is the same on all pages. */
export const seedOf = (viewer: number, now: Date): number =>
  numberOf(`${viewer}:${Math.floor(now.getTime() / dayMs)}`);

/** The column that orders members of the same score. */
export const drawColumn = (seed: number): string => `draws.${seed % drawCount}`;

/** One part as a clause that scores 0 to its share. */
export interface EqualsClause {
  readonly part: EqualsPart;
  /** No criterion has this name. */
  readonly name: string;
  readonly score: EsQuery;
}

/** Whole for today, then to nothing in a number of days. */
const overDays = (now: Date, days: number) => ({
  origin: startOfUtcDay(now).toISOString(),
  offset: '24h',
  // Half of the days, because the credit is a half there. Fractions are refused.
  scale: `${Math.round(days * (dayMs / 2))}ms`,
});

/** A site's settings for the order of equals. */
export interface EqualsSettings {
  readonly weights: Readonly<Partial<Record<EqualsPart, number | undefined>>>;
  readonly active_days: number;
  readonly full_answers: number;
  readonly new_days: number;
}

const scores: Record<
  EqualsPart,
  (share: number, settings: EqualsSettings, now: Date, seed: number) => EsQuery
> = {
  activity: (share, { active_days }, now) => falling('last_seen', overDays(now, active_days), share),
  photo: (share) => constant({ term: { photo: true } }, share),
  answers: (share, { full_answers }) => ({
    dis_max: {
      queries: [
        constant({ range: { answers: { gte: full_answers } } }, share),
        falling('answers', { origin: full_answers, scale: full_answers / 2 }, share),
      ],
    },
  }),
  answer_rate: (share) => falling('answer_rate', { origin: 1, scale: 0.5 }, share),
  newness: (share, { new_days }, now) => falling('joined', overDays(now, new_days), share),
  exposure: (share, _settings, _now, seed) => ({
    function_score: {
      query: everyone,
      boost_mode: 'replace',
      functions: [{ random_score: { seed, field: 'id' }, weight: share }],
    },
  }),
};

/** The clauses of the parts that a site gives weight; none where it orders equals by id. */
export function equalsClauses(
  settings: EqualsSettings,
  { now, seed, most }: { now: Date; seed: number; most: number },
): EqualsClause[] {
  const { weights } = settings;
  const total = equalsParts.reduce((sum, part) => sum + (weights[part] ?? 0), 0);
  return equalsParts.flatMap((part) => {
    const weight = weights[part] ?? 0;
    const share = (weight / total) * most;
    return weight
      ? { part, name: `among_equals:${part}`, score: scores[part](share, settings, now, seed) }
      : [];
  });
}
