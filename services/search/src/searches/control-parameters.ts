import { answerByName, mostShownAnswers } from '@covalence/contract/catalogue/answers';
import { canonicalName } from '@covalence/contract/catalogue/fields';
import { booleanParameter, orDefault, pagesize, platform, wholeNumber } from '@covalence/contract/parameters';
import { z } from 'zod';
import { exclusionKinds } from '../criteria/relations.ts';
import { sortBys } from '../relevance/sort.ts';

/** A list in JSON or a form, or names with commas between them. */
const names = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(',').map((name) => name.trim())),
]);

const exclusion = z.union([
  z.tuple([z.literal('none')]).transform(() => []),
  z.array(z.enum(exclusionKinds)).transform((kinds) => [...new Set(kinds)]),
]);

/** Names of existing answers; the searcher's site decides which of them it shows (shown-answers.ts). */
const shownAnswers = z
  .array(z.string().transform(canonicalName))
  .transform((all) => [...new Set(all)])
  .pipe(z.array(z.string().refine((name) => answerByName(name) !== undefined)).max(mostShownAnswers));

/** The control parameters of a search; every other parameter is a criterion. Out of range they are 403 without code. */
export const controlParameters = {
  page: z
    .preprocess(orDefault(1), wholeNumber.pipe(z.int().min(1)))
    .default(1)
    .meta({ type: 'integer', minimum: 1, default: 1, description: 'The page, from 1.' }),
  pagesize,
  sortby: z
    .preprocess(orDefault('distance'), z.enum(sortBys))
    .meta({
      description:
        'The order, `distance` by default; ties go by relevance, then as the site orders equals, by id if it does not.',
    })
    .default('distance'),
  exclude: names
    .pipe(exclusion)
    .meta({
      type: 'array',
      items: { type: 'string', enum: [...exclusionKinds, 'none'] },
      description:
        'Members to leave out, all kinds by default, as a list or separated by commas; `none` stands alone. Members who block the caller are always left out.',
    })
    .default([...exclusionKinds]),
  explain: booleanParameter.default(false).meta({
    type: 'boolean',
    default: false,
    description:
      'Adds what each criterion contributed, except criteria on answers that only their owner reads, and `among_equals` where the site orders members of the same relevance; the contribution of the answer rate is not shown.',
  }),
  fields: names
    .pipe(shownAnswers)
    .meta({
      type: 'array',
      items: { type: 'string' },
      maxItems: mostShownAnswers,
      description:
        'Names of answers to show with each result, as a list or separated by commas. One that not everyone on the searcher’s site may read is 403 without code.',
    })
    .default([]),
  /** Only logged. */
  platform,
};
