import { countryCodes } from './check-value.ts';
import { countryNames } from './country-names.ts';
import type { Field, LabelLocale } from './field.ts';
import { labelIn, labelLocaleOf } from './labels.ts';

/** One value that a client may send, and what a member reads for it. */
export interface Choice {
  readonly value: string | number;
  readonly label: string;
}

/** Sorting 250 names as a language does takes longer than everything else here together. */
const countries = new Map<LabelLocale, readonly Choice[]>();

function countryChoices(locale: LabelLocale): readonly Choice[] {
  const known = countries.get(locale);
  if (known) return known;
  const nameOf = countryNames(locale);
  const choices = countryCodes
    .map((code) => ({ value: code, label: nameOf(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale.replace('_', '-')));
  countries.set(locale, choices);
  return choices;
}

/** The values that a field of the catalogue allows, in one of the label locales; undefined where it lists none. */
export function choicesOf({ kind, values }: Field, locale: string): Choice[] | undefined {
  if (kind === 'country') return [...countryChoices(labelLocaleOf(locale))];
  return values?.map(({ code, labels }) => ({ value: code, label: labelIn(labels, locale) }));
}
