import { documented, wholeNumber } from '@covalence/contract/parameters';
import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { choiceSchema, choicesOf } from '@covalence/contract/catalogue/choices';
import { visibilities, type Field } from '@covalence/contract/catalogue/field';
import { fields } from '@covalence/contract/catalogue/fields';
import { labelIn, labelLocaleOf } from '@covalence/contract/catalogue/labels';
import type { Site } from '@covalence/contract/sites';
import { z } from 'zod';
import { invalidArgument } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { isFreeTextAnswer, localeOf } from './document/member-values.ts';
import { localeFor, siteOf, type MembersContext } from './members.ts';
import { activeMember, memberEndpoint } from './member-endpoint.ts';
import { deleteReasons } from '@covalence/contract/catalogue/delete-reasons';

/** The `locale` of a request, language_COUNTRY; a malformed one is 403 without code. */
const localeParameter = z
  .string()
  .regex(/^[a-z]{2}_[A-Z]{2}$/)
  .optional()
  .meta(documented.locale);

const limits = z.strictObject({ min: z.number().optional(), max: z.number().optional() });

const questionSchema = z
  .strictObject({
    name: z.string(),
    group: z.string(),
    type: z.string(),
    label: z.string(),
    operations: z.array(z.enum(['register', 'update'])),
    /** Required at registration, or by the site for a complete profile (`missing_required_fields`). */
    required: z.boolean(),
    /** Changes after registration wait for review, on a site with manual review. */
    moderated: z.boolean(),
    /** Readers of an answer: everyone who may see the profile, or only its owner. Absent for other fields. */
    visibility: z.enum(visibilities).optional(),
    limits: limits.optional(),
    update_limits: limits.optional(),
    values: z.array(choiceSchema).optional(),
  })
  .meta({ id: 'Question' });

const questionListSchema = z
  .strictObject({ siteid: z.int(), locale: z.string(), questions: z.array(questionSchema) })
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

/** Every field that a site accepts, in the label locale of `wanted`. Cached by site and locale. */
function questionList(site: Site, wanted: string): QuestionList {
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

/** The site and locale of a member; before registration the client sends the site. */
async function readerOf(context: MembersContext, caller: Caller | undefined, siteid?: number) {
  if (caller) {
    const member = await activeMember(context, caller);
    const site = siteOf(context, member.siteid);
    return { site, locale: localeOf(member, site) };
  }
  const site = siteid === undefined ? undefined : context.sites.get(siteid);
  if (!site) throw invalidArgument();
  return { site, locale: site.locale };
}

/** GET /questions */
export const listQuestions = endpoint({
  access: 'optional',
  tag: 'Members',
  operationId: 'listQuestions',
  summary: 'List the fields and their possible values',
  description:
    'Every field that a site accepts. A member reads the fields of their own site; before registration `siteid` names the site (403 without code where it is missing or unknown).',
  answer: 'The fields in the language asked for.',
  example: {
    request: { siteid: 1 },
    answer: {
      siteid: 1,
      locale: 'en_US',
      questions: [
        {
          name: 'smoking',
          group: 'basic',
          type: 'choice',
          label: 'Smoking',
          operations: ['register', 'update'],
          required: false,
          moderated: false,
          values: [{ value: 10, code: 10, label: 'Never' }],
        },
      ],
    },
  },
  input: z.object({ locale: localeParameter, siteid: wholeNumber.optional().meta(documented.siteid) }),
  output: questionListSchema,
  etag: true,
  handler: async ({ input, caller }, context: MembersContext) => {
    const { site, locale } = await readerOf(context, caller, input.siteid);
    return questionList(site, input.locale ?? locale);
  },
});

const reason = z
  .strictObject({
    reason_id: z.int().meta({ examples: [1] }),
    label: z.string().meta({ examples: ['I met someone here'] }),
  })
  .meta({ id: 'DeleteReason' });

/** GET /reasons/profile/delete */
export const listDeleteReasons = memberEndpoint({
  tag: 'Members',
  operationId: 'listDeleteReasons',
  summary: 'List the reasons for leaving',
  description: 'One of them may be sent as `reason_id` with `deactivated`, or with DELETE /members/self.',
  answer: 'The reasons in the language asked for.',
  input: z.object({ locale: localeParameter }),
  output: z
    .strictObject({ locale: z.string().meta({ examples: ['en_US'] }), reasons: z.array(reason) })
    .meta({ id: 'DeleteReasonList' }),
  etag: true,
  handler: async ({ input, member }, context: MembersContext) => {
    const locale = labelLocaleOf(input.locale ?? localeFor(context, member));
    const reasons = deleteReasons.map(({ code, labels }) => ({
      reason_id: code,
      label: labelIn(labels, locale),
    }));
    return { locale, reasons };
  },
});
