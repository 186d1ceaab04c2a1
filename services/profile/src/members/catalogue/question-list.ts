import { documented } from '@covalence/contract/parameters';
import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { choicesOf } from '@covalence/contract/catalogue/choices';
import { visibilities, type Field } from '@covalence/contract/catalogue/field';
import { fields } from '@covalence/contract/catalogue/fields';
import { labelIn, labelLocaleOf } from '@covalence/contract/catalogue/labels';
import type { Site } from '@covalence/contract/sites';
import { z } from 'zod';
import { isFreeTextAnswer } from '../document/answers.ts';

/** The `locale` of a request, language_COUNTRY; a malformed one is 403 without code. */
export const localeParameter = z
  .string()
  .regex(/^[a-z]{2}_[A-Z]{2}$/)
  .optional()
  .meta(documented.locale);

const limits = z.strictObject({ min: z.number().optional(), max: z.number().optional() });

/** A value that a client may send, and its label. */
const choiceSchema = z.strictObject({ value: z.union([z.string(), z.number()]), label: z.string() });

const questionSchema = z
  .strictObject({
    name: z.string(),
    group: z.string(),
    type: z.string(),
    label: z.string(),
    /** The operations that take the field. */
    operations: z.array(z.enum(['register', 'update'])),
    /** Required at registration, or by the site for a complete profile (`missing_required_fields`). */
    required: z.boolean(),
    /** Changes after registration wait for review, on a site with manual review. */
    moderated: z.boolean(),
    /** Who reads an answer: everyone who may see the profile, or only its owner. Absent for other fields. */
    visibility: z.enum(visibilities).optional(),
    /** Lengths in characters of texts, bounds of numbers. */
    limits: limits.optional(),
    /** Limits of an update, where they differ. */
    update_limits: limits.optional(),
    values: z.array(choiceSchema).optional(),
  })
  .meta({ id: 'Question' });

/** What GET /questions answers. */
export const questionListSchema = z
  .strictObject({
    siteid: z.int(),
    locale: z.string(),
    questions: z.array(questionSchema),
  })
  .meta({ id: 'QuestionList' });

type QuestionList = z.output<typeof questionListSchema>;

function questionOf(field: Field, site: Site, locale: string): QuestionList['questions'][number] {
  const { name, group, kind, labels, only, limits, updateLimits } = field;
  const values = choicesOf(field, locale);
  return {
    name,
    group,
    type: kind,
    label: labelIn(labels, locale),
    operations: only ? [only] : ['register', 'update'],
    required: field.required === true || site.required_fields.includes(name),
    moderated: field.moderated === true || isFreeTextAnswer(name),
    ...(answerByName(name) && { visibility: isForEveryone(field, site) ? 'everyone' : 'owner' }),
    ...(limits && { limits: { ...limits } }),
    ...(updateLimits && { update_limits: { ...updateLimits } }),
    ...(values && { values }),
  };
}

const cache = new WeakMap<Site, Map<string, QuestionList>>();

/**
 * Every field that a site accepts, with its possible values, in the label locale of `wanted`. Cached by site and locale.
 */
export function questionList(site: Site, wanted: string): QuestionList {
  const locale = labelLocaleOf(wanted);
  const ofSite = cache.get(site) ?? new Map<string, QuestionList>();
  cache.set(site, ofSite);
  const list = ofSite.get(locale) ?? {
    siteid: site.siteid,
    locale,
    questions: fields
      .filter(({ name }) => !site.rejected_fields.includes(name))
      .map((field) => questionOf(field, site, locale)),
  };
  ofSite.set(locale, list);
  return list;
}
