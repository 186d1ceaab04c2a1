import { criterionByName, type Criterion } from '@covalence/contract/catalogue/criteria';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { equalsPartNames } from './among-equals.ts';

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

/** Miles, or units of a range: more than half around the earth, and so little that Elasticsearch still distinguishes it from nothing. */
const length = z.number().min(0.1).max(25_000);

const rangeReach = named(
  length,
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

/** Spellings that one word with typos may match: a long text with 1,000 for each word takes more than half of a heap of 512 MiB. */
const mostSpellings = 200;

/** A year. */
const mostOnlineMinutes = 525_600;

/** Weights of what orders members of the same relevance; without any, they are ordered by id. */
const equalsWeights = z.partialRecord(z.enum(equalsPartNames), z.int().min(0).max(1_000));

/** Days or numbers over which a credit falls. */
const span = z.number().min(0.1).max(3_650);

const whole = z.int();

const usageSample = z.number().min(0).max(1);
/** Half of the members at most, so that feeds stay useful. */
const leftOut = z.number().min(0).max(0.5);

/** Settings that a site may override. Its weights of the order among equals replace the general ones. */
const siteSettings = z.strictObject({
  age_tolerance_years: ageTolerance.optional(),
  weights: weights.optional(),
  among_equals: equalsWeights.optional(),
  discover: z.boolean().optional(),
  usage_sample: usageSample.optional(),
  discover_left_out: leftOut.optional(),
});

/** Settings of the ranking. A table of docs/search.md is generated from the descriptions. */
export const relevanceSchema = z.strictObject({
  age_tolerance_years: ageTolerance.meta({ description: 'years by which the limit on ages is widened' }),
  online_minutes: whole
    .min(1)
    .max(mostOnlineMinutes)
    .meta({ description: 'minutes since the last activity for which a member is online' }),
  location: z
    .strictObject({
      full_miles: length.meta({ description: 'up to here, a distance without a limit has full credit' }),
      zero_miles: length.meta({ description: 'from here on it has none; above `full_miles`' }),
    })
    .refine(({ full_miles, zero_miles }) => full_miles < zero_miles, 'full_miles must be below zero_miles'),
  range_reach: rangeReach.meta({
    description: 'distance outside of a range at which the credit is 0, by criterion',
  }),
  range_reach_share: z
    .number()
    .min(0.001)
    .max(1)
    .meta({ description: 'the same for other ranges, as a share of their bounds' }),
  text: z.strictObject({
    fuzziness: fuzziness.meta({ description: 'typos in a word: `0`–`2`, `AUTO`, `AUTO:5,8`' }),
    prefix_length: whole
      .nonnegative()
      .max(mostLetters)
      .meta({ description: 'letters at the beginning that must match' }),
    max_expansions: whole
      .min(1)
      .max(mostSpellings)
      .default(50)
      .meta({ description: 'spellings that one word with typos may match' }),
  }),
  weights: weights.meta({ description: 'by criterion, instead of the default weights' }),
  among_equals: z
    .strictObject({
      weights: equalsWeights
        .default({})
        .meta({ description: 'by part, see [below](#the-order-among-equals)' }),
      active_days: span
        .default(60)
        .meta({ description: 'days over which the credit of an activity falls to 0' }),
      full_answers: span.default(30).meta({ description: 'answers with which a profile is complete' }),
      new_days: span
        .default(14)
        .meta({ description: 'days over which the credit of a new member falls to 0' }),
    })
    .prefault({}),
  discover: z.boolean().default(false).meta({ description: 'whether members have a [feed](#the-feed)' }),
  usage_sample: usageSample
    .default(0)
    .meta({ description: 'share of members whose [searches are recorded](#learn-from-use)' }),
  discover_left_out: leftOut
    .default(0.2)
    .meta({ description: 'share of members whom a feed leaves out, others each week' }),
  sites: named(siteSettings, (name) => /^[1-9]\d*$/.test(name), 'is no siteid').meta({
    description: `by site: ${Object.keys(siteSettings.shape)
      .map((name) => `\`${name}\``)
      .join(', ')}`,
  }),
});

/** The checked relevance settings. */
export type RelevanceSettings = z.infer<typeof relevanceSchema>;

const fileSchema = relevanceSchema.extend({
  /** Increased with every change: logs name it. */
  version: whole.min(1),
});

/** The settings of RELEVANCE_FILE. */
export type RelevanceFile = z.infer<typeof fileSchema>;

/** The settings of one site. */
export type SiteRelevance = ReturnType<typeof ofSite>;

/** Reads and checks a settings file; throws a ZodError that names each problem. */
export function readRelevance(path: string | URL): RelevanceFile {
  return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
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

function ofSite({ sites, weights, among_equals, ...settings }: RelevanceSettings, siteid: number) {
  const { weights: ownWeights, among_equals: ownEquals, ...own } = sites[String(siteid)] ?? {};
  const changedWeights = { ...weights, ...ownWeights };
  return {
    ...settings,
    ...own,
    among_equals: { ...among_equals, weights: ownEquals ?? among_equals.weights },
    weightOf: ({ name, weight }: Criterion): number => changedWeights[name] ?? weight,
    /** The distance outside of a range criterion at which the credit reaches 0. */
    reachOf({ name, bounds: [lowest, highest] = [0, 1] }: Criterion): number {
      return settings.range_reach[name] ?? (highest - lowest) * settings.range_reach_share;
    },
  };
}
