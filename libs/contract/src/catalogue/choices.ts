import { countryCodes } from './check-value.ts';
import { countryNames } from './country-names.ts';
import type { Field, LabelLocale } from './field.ts';
import { labelIn, labelLocaleOf } from './labels.ts';

/** A value that a client may send, with its label. */
export interface Choice {
  readonly value: string | number;
  readonly label: string;
}

/** Cached, because sorting 250 names by locale is slow. */
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

/** The allowed values of a field with their labels; undefined if the field has none. */
export function choicesOf({ kind, values }: Field, locale: string): Choice[] | undefined {
  if (kind === 'country') return [...countryChoices(labelLocaleOf(locale))];
  return values?.map(({ code, labels }) => ({ value: code, label: labelIn(labels, locale) }));
}
