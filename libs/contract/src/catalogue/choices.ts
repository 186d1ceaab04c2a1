import { countryCodes } from './check-value.ts';
import type { Field, LabelLocale } from './field.ts';
import { labelIn, labelLocaleOf } from './labels.ts';

/** One value that a client may send, and what a member reads for it. */
export interface Choice {
  readonly value: string | number;
  readonly label: string;
}

/** Loading the names of a locale takes longer than everything else here together. */
const countries = new Map<LabelLocale, readonly Choice[]>();

function countryChoices(locale: LabelLocale): readonly Choice[] {
  const known = countries.get(locale);
  if (known) return known;
  const language = locale.replace('_', '-');
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const choices = countryCodes
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
  countries.set(locale, choices);
  return choices;
}

/** The values that a field of the catalogue allows, in one of the label locales; undefined where it lists none. */
export function choicesOf({ kind, values }: Field, locale: string): Choice[] | undefined {
  if (kind === 'country') return [...countryChoices(labelLocaleOf(locale))];
  return values?.map(({ code, labels }) => ({ value: code, label: labelIn(labels, locale) }));
}
