import { readFileSync } from 'node:fs';
import { criteria, criterionByName, type Criterion } from '@covalence/contract/catalogue/criteria';
import { z } from 'zod';

/** A record whose names are checked one by one: zod alone would say of each no more than that it is not valid. */
const named = <Value extends z.ZodType>(value: Value, isName: (name: string) => boolean, problem: string) =>
  z.record(z.string(), value).superRefine((record, context) => {
    for (const name of Object.keys(record)) {
      if (!isName(name)) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  });

const weights = named(
  z.int().min(1).max(1_000),
  (name) => criterionByName(name) !== undefined,
  'is no criterion of the catalogue',
);

const rangeReach = named(
  z.number().positive(),
  (name) => criterionByName(name)?.form === 'range' && name !== 'age',
  'is no range criterion',
);

const ageTolerance = z.int().min(0).max(20);

/** Elasticsearch would refuse each search with a text where the second number is below the first. */
function isFuzziness(text: string): boolean {
  const [, low, high] = /^AUTO:(\d{1,3}),(\d{1,3})$/.exec(text) ?? [];
  return /^([0-2]|AUTO)$/.test(text) || (low !== undefined && Number(low) <= Number(high));
}

const fuzziness = z
  .string()
  .refine(
    isFuzziness,
    'is no fuzziness: 0, 1, 2, AUTO, or AUTO:4,8 for one typo from 4 letters and two from 8',
  );

/** More than a word has. */
const mostLetters = 255;

/** A year, which no one would call online. */
const mostOnlineMinutes = 525_600;

/** The relevance settings file of the search team; docs/search.md explains each entry. */
export const relevanceSchema = z.strictObject({
  /** Raised by one with every change, so that logs and judgments can name what they ran with. */
  version: z.int().positive(),
  /** Whole years by which the age limit is widened; the credit falls evenly to 0 beyond them. */
  age_tolerance_years: ageTolerance,
  /** Minutes since the last activity within which a member counts as online. */
  online_minutes: z.int().positive().max(mostOnlineMinutes),
  /** Distance without a limit: full credit up to `full_miles`, none from `zero_miles` on. */
  location: z
    .strictObject({ full_miles: z.number().positive(), zero_miles: z.number().positive() })
    .refine(({ full_miles, zero_miles }) => full_miles < zero_miles, 'full_miles must be below zero_miles'),
  /** How far outside of a range the credit reaches 0, in the criterion's own unit. */
  range_reach: rangeReach,
  /** The same for ranges not named above, as a share of their bounds. */
  range_reach_share: z.number().positive().max(1),
  /** How text criteria match words with typos (Elasticsearch's fuzziness and prefix_length). */
  text: z.strictObject({ fuzziness, prefix_length: z.int().nonnegative().max(mostLetters) }),
  /** Weights by criterion, instead of the catalogue's. */
  weights,
  /** What differs on a site, by siteid. */
  sites: z.record(
    z.string().regex(/^[1-9]\d*$/),
    z.strictObject({ age_tolerance_years: ageTolerance.optional(), weights: weights.optional() }),
  ),
});

/** The checked relevance settings. */
export type RelevanceSettings = z.infer<typeof relevanceSchema>;

/** The settings as they hold on one site. */
export interface SiteRelevance {
  readonly ageToleranceYears: number;
  readonly onlineMinutes: number;
  readonly location: RelevanceSettings['location'];
  readonly text: RelevanceSettings['text'];
  /** Weight of a criterion: a positive integer. */
  weightOf(criterion: Criterion): number;
  /** How far outside of a range criterion the credit reaches 0. */
  reachOf(criterion: Criterion): number;
}

/** Reads and checks a settings file; throws a ZodError that names each problem. */
export function readRelevance(path: string | URL): RelevanceSettings {
  return relevanceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The settings of one site: its own where it has any, else those of all, else the catalogue's weights. */
export function siteRelevance(settings: RelevanceSettings, siteid: number): SiteRelevance {
  const site = settings.sites[String(siteid)];
  const weightByName = new Map(criteria.map(({ name, weight }) => [name, weight]));
  for (const overrides of [settings.weights, site?.weights ?? {}]) {
    for (const [name, weight] of Object.entries(overrides)) weightByName.set(name, weight);
  }
  return {
    ageToleranceYears: site?.age_tolerance_years ?? settings.age_tolerance_years,
    onlineMinutes: settings.online_minutes,
    location: settings.location,
    text: settings.text,
    weightOf: ({ name, weight }) => weightByName.get(name) ?? weight,
    reachOf({ name, bounds: [lowest, highest] = [0, 1] }) {
      return settings.range_reach[name] ?? (highest - lowest) * settings.range_reach_share;
    },
  };
}
