import { choicesOf, type Choice } from '@covalence/contract/catalogue/choices';
import type { Criterion } from '@covalence/contract/catalogue/criteria';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn } from '@covalence/contract/catalogue/labels';
import { z } from 'zod';
import { platinumMiles, withinMiles, type Searcher } from './parse-forms.ts';
import { daysLabels, derivedLabels, derivedValueLabels, withinLabels } from './criterion-labels.ts';

const choice = z.object({ value: z.union([z.string(), z.number()]), label: z.string() });

/** One criterion as a client shows it; GET /searches/questions. */
export const questionSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    /** How it is written in a search. */
    form: z.enum(['general', 'range', 'geolocation']),
    /** Whether the member may use it: platinum ones are for subscribers. */
    accessible: z.boolean(),
    /** The values that are allowed; absent where any text, or any postal code, goes. */
    values: z.array(choice).optional(),
    /** Lowest and highest value of a range. */
    from: z.number().optional(),
    to: z.number().optional(),
    /** Miles of a geolocation; small ones are for subscribers (31007). */
    within: z.array(choice.extend({ value: z.int(), accessible: z.boolean() })).optional(),
  })
  .meta({ id: 'SearchQuestion' });

/** A criterion as a client shows it. */
export type Question = z.infer<typeof questionSchema>;

const labelOf = ({ name, field }: Criterion, locale: string): string => {
  const labels = derivedLabels[name] ?? fieldByName(field ?? name)?.labels;
  return labels ? labelIn(labels, locale) : name;
};

/** The text of a value that no field of the catalogue is behind. */
const derivedLabel = (code: string | number, locale: string): string =>
  labelIn(derivedValueLabels[String(code)] ?? daysLabels(Number(code)), locale);

/** The values of a criterion: those of its field, else the ones that are derived from the member. */
function valuesOf({ field: name = '', codes }: Criterion, locale: string): Choice[] | undefined {
  const field = fieldByName(name);
  const ofField = field && choicesOf(field, locale);
  return ofField ?? codes?.map((code) => ({ value: code, label: derivedLabel(code, locale) }));
}

const distances = ({ platinum }: Searcher, locale: string) =>
  [...withinMiles].map((miles) => ({
    value: miles,
    label: labelIn(withinLabels(miles), locale),
    accessible: platinum || !platinumMiles.has(miles),
  }));

/** A criterion in the member's locale, and whether they may use it. */
export function questionOf(criterion: Criterion, searcher: Searcher, locale: string): Question {
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
