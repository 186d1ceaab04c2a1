import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn } from '@covalence/contract/catalogue/labels';
import type { Member } from '../members/member.ts';

/** The localized text of a member's choice in a catalogue field; '' where unset (D25). */
export function choiceLabel(member: Member, name: string, locale: string): string {
  const chosen = member.fields[name];
  const value = fieldByName(name)?.values?.find(({ code }) => code === chosen);
  return value ? labelIn(value.labels, locale) : '';
}

/** What countries are called in a locale, by their ISO 3166-1 alpha-2 code; '' for ''. */
export function countryNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames([locale.replace('_', '-'), 'en-US'], { type: 'region' });
  return (code) => (code && names.of(code)) ?? code;
}
