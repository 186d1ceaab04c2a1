import { choiceOf, choiceSchema, choicesOf, type Choice } from '@covalence/contract/catalogue/choices';
import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import {
  daysLabel,
  derivedLabels,
  derivedValueLabels,
  withinLabel,
} from '@covalence/contract/catalogue/criterion-labels';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn } from '@covalence/contract/catalogue/labels';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { platinumMiles, withinMiles } from './parse-forms.ts';
import { isKnown } from './parse-search.ts';
import { readSearcher, type Searcher, type SearcherContext } from './searcher.ts';

const question = z
  .object({
    name: z.string(),
    label: z.string(),
    /** The form of the criterion in a search. */
    form: z.enum(['general', 'range', 'geolocation']),
    /** Whether the member may use it: platinum criteria are for subscribers. */
    accessible: z.boolean(),
    /** The valid values; absent if any text or postal code is valid. */
    values: z.array(choiceSchema).optional(),
    /** Lowest and highest value of a range. */
    from: z.number().optional(),
    to: z.number().optional(),
    /** Miles of a geolocation; small ones are for subscribers (31007). */
    within: z.array(z.object({ value: z.int(), label: z.string(), accessible: z.boolean() })).optional(),
  })
  .meta({ id: 'SearchQuestion' });

type Question = z.infer<typeof question>;

const labelOf = ({ name, field }: Criterion, locale: string): string => {
  const labels = derivedLabels[name] ?? fieldByName(field ?? name)?.labels;
  return labels ? labelIn(labels, locale) : name;
};

/** The values of a criterion: those of its field, else those that are derived from the member. */
function valuesOf({ field: name = '', codes }: Criterion, locale: string): Choice[] | undefined {
  const field = fieldByName(name);
  const ofField = field && choicesOf(field, locale);
  const labelOfCode = (code: string | number) => {
    const labels = derivedValueLabels[code];
    return labels ? labelIn(labels, locale) : daysLabel(Number(code), locale);
  };
  return ofField ?? codes?.map((code) => choiceOf(code, labelOfCode(code)));
}

const distances = ({ platinum }: Searcher, locale: string) =>
  [...withinMiles].map((miles) => ({
    value: miles,
    label: withinLabel(miles, locale),
    accessible: platinum || !platinumMiles.has(miles),
  }));

function questionOf(criterion: Criterion, searcher: Searcher, locale: string): Question {
  const { name, form, tier, bounds } = criterion;
  const values = valuesOf(criterion, locale);
  return {
    name,
    label: labelOf(criterion, locale),
    form,
    accessible: tier === 'basic' || searcher.platinum,
    ...(values && { values }),
    ...(bounds && { from: bounds[0], to: bounds[1] }),
    ...(form === 'geolocation' && { within: distances(searcher, locale) }),
  };
}

const group = z.array(question);

const sample: Question = { name: 'age', label: 'Age', form: 'range', accessible: true, from: 18, to: 120 };

/** GET /searches/questions: the criteria of the member's site. */
export const searchQuestions = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'listCriteria',
  summary: 'List the search criteria',
  description:
    'Every criterion of the member’s site in their language: `basic`, `platinum`, and `my-matches`, those that can be stored.',
  answer: 'The criteria by group.',
  example: { answer: { basic: [sample], platinum: [], 'my-matches': [sample] } },
  input: z.object({}),
  output: z.object({ basic: group, platinum: group, 'my-matches': group }).meta({ id: 'CriterionList' }),
  handler: async ({ caller }, context: SearcherContext) => {
    const { viewer, searcher } = await readSearcher(caller.id, context);
    const known = criteria.filter((criterion) => isKnown(criterion, searcher));
    const ofTier = (...tiers: readonly string[]) =>
      known.filter(({ tier }) => tiers.includes(tier)).map((one) => questionOf(one, searcher, viewer.locale));
    return {
      basic: ofTier('basic'),
      platinum: ofTier('platinum'),
      'my-matches': ofTier('basic', 'platinum'),
    };
  },
});
