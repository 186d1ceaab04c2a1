import { dayMs, startOfUtcDay } from '@covalence/contract/time';
import { sumOf } from '@covalence/runtime/sum';
import { numberOf } from '../index/draws.ts';
import { constant, everyone, falling, type EsQuery } from './es-query.ts';

/** Steps of the order among equals, which the score has beside each unit of relevance. */
export const equalsSteps = 8;

/** Steps by which words that are not found as typed come behind those that are: half of all. */
export const typedSteps = 4;

/** The most that the parts score together, if texts are searched too: the sum is rounded to a whole step. */
export const mostScore = (hasTexts: boolean): number => equalsSteps - 1 - (hasTexts ? typedSteps : 0);

/** The seed of the draw: it differs by day and searcher, and is the same on all pages. */
export const seedOf = (viewer: number, now: Date): number =>
  numberOf(`${viewer}:${Math.floor(now.getTime() / dayMs)}`);

/** Whole for today, then to nothing in a number of days. */
const overDays = (now: Date, days: number) => ({
  origin: startOfUtcDay(now).toISOString(),
  offset: '24h',
  // Half of the days, because the credit is a half there. Fractions are refused.
  scale: `${Math.round(days * (dayMs / 2))}ms`,
});

/** Settings of single parts. */
interface PartSettings {
  readonly active_days: number;
  readonly full_answers: number;
  readonly new_days: number;
}

interface Part {
  /** The credit of a member, in docs/search.md. */
  readonly credit: string;
  /** Scores 0 to the share of the part. */
  readonly score: (share: number, settings: PartSettings, now: Date, seed: number) => EsQuery;
}

/** Parts of the order of members with the same relevance. A table of docs/search.md is generated from them. */
export const equalsParts = {
  activity: {
    credit: '1 for members who were active today, falling to 0 over `active_days`',
    score: (share, { active_days }, now) => falling('last_seen', overDays(now, active_days), share),
  },
  photo: { credit: '1 with a photo', score: (share) => constant({ term: { photo: true } }, share) },
  answers: {
    credit: 'answers of the profile that can be searched, 1 from `full_answers` on',
    score: (share, { full_answers }) => ({
      dis_max: {
        queries: [
          constant({ range: { answers: { gte: full_answers } } }, share),
          falling('answers', { origin: full_answers, scale: full_answers / 2 }, share),
        ],
      },
    }),
  },
  answer_rate: {
    credit: 'what the member answers of the likes and first messages of others, in quarters',
    score: (share) => falling('answer_rate', { origin: 1, scale: 0.5 }, share),
  },
  newness: {
    credit: '1 for members who joined today, falling to 0 over `new_days`',
    score: (share, { new_days }, now) => falling('joined', overDays(now, new_days), share),
  },
  exposure: {
    credit: 'random, 0 to 1, for each searcher and day, so that everybody is seen',
    score: (share, _settings, _now, seed) => ({
      function_score: {
        query: everyone,
        boost_mode: 'replace',
        functions: [{ random_score: { seed, field: 'id' }, weight: share }],
      },
    }),
  },
} satisfies Readonly<Record<string, Part>>;

/** A part of the order among equals. */
export type EqualsPart = keyof typeof equalsParts;

/** The names of the parts. */
export const equalsPartNames = Object.keys(equalsParts) as EqualsPart[];

/** A site's settings for the order of equals. */
export interface EqualsSettings extends PartSettings {
  readonly weights: Readonly<Partial<Record<EqualsPart, number | undefined>>>;
}

/** One part as a clause that scores 0 to its share. */
export interface EqualsClause {
  readonly part: EqualsPart;
  /** No criterion has this name. */
  readonly name: string;
  readonly score: EsQuery;
}

/** The clauses of the parts that a site gives weight; none where it orders equals by id. */
export function equalsClauses(
  settings: EqualsSettings,
  { now, seed, most }: { now: Date; seed: number; most: number },
): EqualsClause[] {
  const { weights } = settings;
  const total = sumOf(equalsPartNames, (part) => weights[part] ?? 0);
  return equalsPartNames.flatMap((part) => {
    const weight = weights[part] ?? 0;
    const share = (weight / total) * most;
    return weight
      ? { part, name: `among_equals:${part}`, score: equalsParts[part].score(share, settings, now, seed) }
      : [];
  });
}
