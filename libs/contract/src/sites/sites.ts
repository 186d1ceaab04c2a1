import { z } from 'zod';
import { answerByName } from '../catalogue/answers.ts';
import { visibilities, type Visibility } from '../catalogue/field.ts';
import { canonicalName, fieldByName } from '../catalogue/fields.ts';

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

/** One site. */
const siteSchema = z.strictObject({
  siteid: z.int().positive(),
  title: z.string().min(1),
  url: z.url(),
  /** Address of the terms of use, to which the hosted pages link. */
  terms_url: z.url({ protocol: /^https$/ }).optional(),
  /** Address of the privacy policy. */
  privacy_url: z.url({ protocol: /^https$/ }).optional(),
  locale: z
    .string()
    .regex(/^[a-z]{2}_[A-Z]{2}$/)
    .default('en_US'),
  /** The equivalence group: members of one group see each other without World Plus. */
  group: z.string().min(1),
  world_plus: z.boolean().default(false),
  review: z.enum(['manual', 'automatic']).default('manual'),
  zodiac: z.boolean().default(false),
  required_fields: z.array(fieldName).default([]),
  rejected_fields: z.array(rejectedField).default([]),
  answer_visibility: answerVisibility.default({}),
  minimum_age: z.int().min(18).default(18),
  password_minimum: z.int().min(4).default(8),
  online_recently_days: z.int().positive().default(7),
  photo_limit: z.int().positive().default(20),
  likes_per_day: z.int().positive().default(50),
  /** Members whose profile or photos a member may open in a day; no limit by default. */
  views_per_day: z.int().positive().optional(),
  /** Records of others in results of searches that a member may read in a day; no limit by default. */
  results_per_day: z.int().positive().optional(),
  /** Members that a member may write to first in a day; no limit by default. */
  conversations_per_day: z.int().positive().optional(),
  /** Whether liking and writing need a confirmed e-mail address. */
  confirmed_only: z.boolean().default(false),
  gender_changes: z.int().nonnegative().default(1),
  dateofbirth_changes: z.int().nonnegative().default(1),
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
