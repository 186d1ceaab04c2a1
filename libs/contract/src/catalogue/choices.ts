import { z } from 'zod';
import { countryCodes } from './check-value.ts';
import { countryNames } from './country-names.ts';
import type { Field, LabelLocale } from './field.ts';
import { labelIn, labelLocaleOf } from './labels.ts';

/** A value that a client may send, with its label. */
export const choiceSchema = z
  .strictObject({
    value: z
      .union([z.string(), z.number()])
      .meta({ description: 'A number or a text: the same as `code` or `key`.' }),
    code: z.int().optional().meta({ description: 'The value where it is a number.' }),
    key: z.string().optional().meta({ description: 'The value where it is a text.' }),
    label: z.string(),
  })
  .meta({ id: 'Choice', description: 'A value that may be sent, with its label.' });

/** A value that a client may send, with its label. */
export type Choice = z.infer<typeof choiceSchema>;

/** Creates a choice. */
export const choiceOf = (value: string | number, label: string): Choice => ({
  value,
  ...(typeof value === 'number' ? { code: value } : { key: value }),
  label,
});

/** Cached, because sorting 250 names by locale is slow. */
const countries = new Map<LabelLocale, readonly Choice[]>();

function countryChoices(locale: LabelLocale): readonly Choice[] {
  const known = countries.get(locale);
  if (known) return known;
  const nameOf = countryNames(locale);
  const choices = countryCodes
    .map((code) => choiceOf(code, nameOf(code)))
    .sort((one, other) => one.label.localeCompare(other.label, locale.replace('_', '-')));
  countries.set(locale, choices);
  return choices;
}

/** The allowed values of a field with their labels; undefined if the field has none. */
export function choicesOf({ kind, values }: Field, locale: string): Choice[] | undefined {
  if (kind === 'country') return [...countryChoices(labelLocaleOf(locale))];
  return values?.map(({ code, labels }) => choiceOf(code, labelIn(labels, locale)));
}
