import { countryCodes } from '@covalence/contract/catalogue/check-value';
import { choicesOf } from '@covalence/contract/catalogue/choices';
import { countryNames } from '@covalence/contract/catalogue/country-names';
import type { Field } from '@covalence/contract/catalogue/field';
import { labelIn } from '@covalence/contract/catalogue/labels';
import frFR from './labels/fr-fr.json' with { type: 'json' };
import trTR from './labels/tr-tr.json' with { type: 'json' };

/** Labels in languages that the catalogue lacks, by its keys: those of the fields that registrations usually ask for. */
const own: Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>> = {
  fr_FR: frFR,
  tr_TR: trTR,
};

/** A value to choose, with its label. */
export interface LabeledValue {
  readonly value: string;
  readonly label: string;
}

/** The label of a field. */
export const fieldLabel = ({ name, labels }: Field, locale: string): string =>
  own[locale]?.[`field.${name}`] ?? labelIn(labels, locale);

/** Cached, because sorting 250 names is slow. */
const countries = new Map<string, readonly LabeledValue[]>();

function countriesIn(locale: string): readonly LabeledValue[] {
  const known = countries.get(locale);
  if (known) return known;
  const nameOf = countryNames(locale);
  const collator = new Intl.Collator(locale.replace('_', '-'));
  const sorted = countryCodes
    .map((code) => ({ value: code, label: nameOf(code) }))
    .sort((one, other) => collator.compare(one.label, other.label));
  countries.set(locale, sorted);
  return sorted;
}

/** The values of a field with their labels; undefined if it has none. */
export function fieldChoices(field: Field, locale: string): readonly LabeledValue[] | undefined {
  if (field.kind === 'country') return countriesIn(locale);
  // The catalogue has one set of labels for both fields of that kind.
  const named = field.kind === 'gender' ? field.kind : field.name;
  return choicesOf(field, locale)?.map(({ value, label }) => ({
    value: String(value),
    label: own[locale]?.[`choice.${named}.${value}`] ?? label,
  }));
}
