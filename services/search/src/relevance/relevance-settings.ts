import { criteria, criterionByName, type Criterion } from '@covalence/contract/catalogue/criteria';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { equalsParts } from './among-equals.ts';

/** A record with checked names: the problem of each invalid name is reported. */
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

/** Elasticsearch refuses a fuzziness whose second number is below the first. */
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

/** The maximum prefix: no word is longer. */
const mostLetters = 255;

/** Spellings that one word with typos may match; Elasticsearch takes 1,024 and more, by its memory. */
const mostSpellings = 1_000;

/** A year. */
const mostOnlineMinutes = 525_600;

/** Weights of what orders members of the same relevance; without any, they are ordered by id. */
const equalsWeights = z.partialRecord(z.enum(equalsParts), z.int().min(0).max(1_000));

/** Days or numbers over which a credit falls. */
const span = z.number().positive().max(3_650);

/** The relevance settings file of the search team; docs/search.md explains each entry. */
export const relevanceSchema = z.strictObject({
  /** Increased with every change, so that logs and judgments can refer to it. */
  version: z.int().positive(),
  /** Whole years by which the age limit is widened, over which the credit falls to 0. */
  age_tolerance_years: ageTolerance,
  /** Minutes since the last activity within which a member counts as online. */
  online_minutes: z.int().positive().max(mostOnlineMinutes),
  /** Distance without a limit: full credit up to `full_miles`, none from `zero_miles`. */
  location: z
    .strictObject({ full_miles: z.number().positive(), zero_miles: z.number().positive() })
    .refine(({ full_miles, zero_miles }) => full_miles < zero_miles, 'full_miles must be below zero_miles'),
  /** How far outside of a range the credit reaches 0, in the criterion's unit. */
  range_reach: rangeReach,
  /** The same for other ranges, as a share of their bounds. */
  range_reach_share: z.number().positive().max(1),
  /** How text criteria match words with typos (Elasticsearch's fuzziness, prefix_length and max_expansions). */
  text: z.strictObject({
    fuzziness,
    prefix_length: z.int().nonnegative().max(mostLetters),
    max_expansions: z.int().min(1).max(mostSpellings).default(50),
  }),
  /** Weights by criterion, instead of the catalogue's. */
  weights,
  /** The order of members of the same relevance. */
  among_equals: z
    .strictObject({
      weights: equalsWeights.default({}),
      /** Days after which an activity counts nothing. */
      active_days: span.default(60),
      /** Answers of a profile that counts as complete. */
      full_answers: span.default(30),
      /** Days for which a member is new, ever less so. */
      new_days: span.default(14),
    })
    .prefault({}),
  /** Whether members have a feed. */
  discover: z.boolean().default(false),
  /** Overrides by siteid. */
  sites: z.record(
    z.string().regex(/^[1-9]\d*$/),
    z.strictObject({
      age_tolerance_years: ageTolerance.optional(),
      weights: weights.optional(),
      /** Instead of the general weights. */
      among_equals: equalsWeights.optional(),
      discover: z.boolean().optional(),
    }),
  ),
});

/** The checked relevance settings. */
export type RelevanceSettings = z.infer<typeof relevanceSchema>;

/** The settings of one site. */
export type SiteRelevance = ReturnType<typeof ofSite>;

/** Reads and checks a settings file; throws a ZodError that names each problem. */
export function readRelevance(path: string | URL): RelevanceSettings {
  return relevanceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Made once for each site, because every search needs them. */
const made = new WeakMap<RelevanceSettings, Map<number, SiteRelevance>>();

/** The settings of one site: its own, else the general ones, else the catalogue's weights. */
export function siteRelevance(settings: RelevanceSettings, siteid: number): SiteRelevance {
  const bySite = made.get(settings) ?? new Map<number, SiteRelevance>();
  const known = bySite.get(siteid) ?? ofSite(settings, siteid);
  made.set(settings, bySite.set(siteid, known));
  return known;
}

function ofSite(settings: RelevanceSettings, siteid: number) {
  const site = settings.sites[String(siteid)];
  const weightByName = new Map(criteria.map(({ name, weight }) => [name, weight]));
  for (const overrides of [settings.weights, site?.weights ?? {}]) {
    for (const [name, weight] of Object.entries(overrides)) weightByName.set(name, weight);
  }
  return {
    ageToleranceYears: site?.age_tolerance_years ?? settings.age_tolerance_years,
    onlineMinutes: settings.online_minutes,
    location: settings.location,
    amongEquals: {
      ...settings.among_equals,
      weights: site?.among_equals ?? settings.among_equals.weights,
    },
    discover: site?.discover ?? settings.discover,
    text: settings.text,
    weightOf: ({ name, weight }: Criterion): number => weightByName.get(name) ?? weight,
    /** How far outside of a range criterion the credit reaches 0. */
    reachOf({ name, bounds: [lowest, highest] = [0, 1] }: Criterion): number {
      return settings.range_reach[name] ?? (highest - lowest) * settings.range_reach_share;
    },
  };
}
