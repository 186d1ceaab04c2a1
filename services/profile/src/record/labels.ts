import type { Labels, LabelLocale } from '@covalence/contract/catalogue/field';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import type { Member } from '../members/member.ts';

const labelLocales: readonly LabelLocale[] = ['en_US', 'es_ES', 'de_DE', 'el_GR'];

/** A text in the locale asked for, else in another one of its language, else in English. */
export function labelIn(labels: Labels, locale: string): string {
  const sameLanguage = labelLocales.find((each) => each.slice(0, 2) === locale.slice(0, 2)) ?? 'en_US';
  return labels[sameLanguage] ?? labels.en_US;
}

/** The localized text of a member's choice in a catalogue field; '' where unset (D25). */
export function choiceLabel(member: Member, name: string, locale: string): string {
  const chosen = member.fields[name];
  const value = fieldByName(name)?.values?.find(({ code }) => code === chosen);
  return value ? labelIn(value.labels, locale) : '';
}
