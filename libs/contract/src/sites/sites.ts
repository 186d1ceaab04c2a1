import { z } from 'zod';
import { answerByName } from '../catalogue/answers.ts';
import { visibilities, type Visibility } from '../catalogue/field.ts';
import { canonicalName, fieldByName } from '../catalogue/fields.ts';
import { scamRules } from './scam-rules.ts';

/** A field by any of its spellings; unknown names are an error. */
const fieldName = z
  .string()
  .transform(canonicalName)
  .refine((name) => fieldByName(name) !== undefined, 'there is no such field');

/** Fields that a registration requires cannot be rejected. */
const rejectedField = fieldName.refine((name) => !fieldByName(name)?.required, 'registration requires it');

/** Answers that every record also shows under other names, so that hiding them in `answers` has no effect. */
const inEveryRecord = new Set(['marital_status', 'p_mood']);

/** Visibility of answers that differs from the catalogue, by any spelling of the field's name. */
const answerVisibility = z
  .record(z.string(), z.enum(visibilities))
  .transform((given): Readonly<Record<string, Visibility>> =>
    Object.fromEntries(Object.entries(given).map(([name, who]) => [canonicalName(name), who])),
  )
  .superRefine((given, context) => {
    for (const [name, who] of Object.entries(given)) {
      const path = [name];
      if (!answerByName(name)) context.addIssue({ code: 'custom', path, message: 'there is no such answer' });
      if (who === 'owner' && inEveryRecord.has(name)) {
        context.addIssue({ code: 'custom', path, message: 'every record shows it' });
      }
    }
  });

/** Actions of a site's staff that need a second account. By default none, because a site may have one employee. */
const secondPerson = z.strictObject({
  deletions: z.boolean().default(false),
  /** Refunds above these amounts, in minor units by currency, and all in other currencies. Without it no refund. */
  refunds_above: z.record(z.string().regex(/^[A-Z]{3}$/), z.int().nonnegative()).optional(),
});

/** Content of fraud warnings: a page on avoiding fraud, and a contact. */
const fraudWarnings = z.strictObject({
  help_url: z.url({ protocol: /^https$/ }),
  contact: z.string().trim().min(1).max(200),
});

/** Measures that a member's points can propose to staff. */
export const strikeProposals = ['warning', 'suspension', 'ban'] as const;

/** Days for which the points of a restriction count, and the numbers of points from which they propose a measure to staff. */
const strikes = z.strictObject({
  days: z.int().positive().max(3_650),
  thresholds: z
    .array(z.strictObject({ points: z.int().positive(), proposal: z.enum(strikeProposals) }))
    .min(1),
});

/** One entry of the sites file. */
export const siteSchema = z.strictObject({
  siteid: z.int().positive().describe('number of the site, which never changes'),
  title: z.string().min(1).describe('name that members read'),
  url: z.url().describe('address of the app or page of the site'),
  terms_url: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('terms of use, to which the hosted pages link'),
  privacy_url: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('privacy policy, to which the hosted pages link'),
  locale: z
    .string()
    .regex(/^[a-z]{2}_[A-Z]{2}$/)
    .default('en_US')
    .describe('language of members who have chosen none'),
  group: z.string().min(1).describe('members of one group see each other without World Plus'),
  world_plus: z.boolean().default(false).describe('whether members see those of all sites that have it'),
  review: z
    .enum(['manual', 'automatic'])
    .default('manual')
    .describe('whether each profile, text and photo waits for staff, or only what has contact data'),
  zodiac: z.boolean().default(false).describe('whether records show zodiac signs'),
  required_fields: z
    .array(fieldName)
    .default([])
    .describe('fields of a complete profile, beside those of every registration'),
  rejected_fields: z.array(rejectedField).default([]).describe('fields that the site does not have'),
  answer_visibility: answerVisibility
    .default({})
    .describe('who reads an answer, where it differs from the catalogue: `everyone` or `owner`'),
  minimum_age: z.int().min(18).default(18).describe('age from which members may register'),
  password_minimum: z.int().min(4).default(8).describe('shortest password'),
  online_recently_days: z
    .int()
    .positive()
    .default(7)
    .describe('days after a visit in which a member counts as recently online'),
  photo_limit: z.int().positive().default(20).describe('photos of a member'),
  likes_per_day: z.int().positive().default(50).describe('likes a day of members without Platinum'),
  views_per_day: z
    .int()
    .positive()
    .optional()
    .describe('members whose profile or photos are opened in a day, each counted once; then 429'),
  results_per_day: z
    .int()
    .positive()
    .optional()
    .describe('records in search results of a day, counted each time; then 429'),
  conversations_per_day: z
    .int()
    .positive()
    .optional()
    .describe('members who are written to first in a day; then 429'),
  confirmed_only: z
    .boolean()
    .default(false)
    .describe('whether likes and messages need a confirmed email address; otherwise 403'),
  fraud_warnings: fraudWarnings
    .optional()
    .describe('warns members who wrote with somebody banned for fraud: `help_url` (https), `contact`'),
  strikes: strikes
    .optional()
    .describe('what `points` of restrictions propose to staff: `days` that they count, `thresholds`'),
  scam_signals: scamRules
    .optional()
    .describe('[signals of scams](moderation.md#signals-of-scams): `mode` shadow or on, and the rules'),
  gender_changes: z.int().nonnegative().default(1).describe('changes of the gender that a member may make'),
  dateofbirth_changes: z
    .int()
    .nonnegative()
    .default(1)
    .describe('changes of the date of birth that a member may make'),
  second_person: secondPerson.prefault({}).meta({
    default: 'none',
    description:
      '[needs a second person](moderation.md#what-needs-a-second-person): `deletions`, `refunds_above`',
  }),
});

/** The settings of a site: its members, their review and their limits. */
export type Site = z.infer<typeof siteSchema>;

/** A field that is required and rejected could never be complete. */
const canBeComplete = ({ required_fields, rejected_fields }: Site) =>
  !required_fields.some((name) => rejected_fields.includes(name));

/** The sites file: a list with unique ids. */
const sitesSchema = z
  .array(
    siteSchema.refine(canBeComplete, { path: ['rejected_fields'], error: 'a required field is rejected' }),
  )
  .min(1)
  .refine(
    (sites) => new Set(sites.map((site) => site.siteid)).size === sites.length,
    'siteid must be unique',
  );

/** Every site by its id. */
export type Sites = ReadonlyMap<number, Site>;

/** Checks the sites of a configuration; throws a ZodError that names each problem. */
export function parseSites(data: unknown): Sites {
  return new Map(sitesSchema.parse(data).map((site) => [site.siteid, site]));
}
