import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn } from '@covalence/contract/catalogue/labels';
import type { Member } from '../members/member.ts';

/** The localized text of a member's choice in a catalogue field; '' where unset (D25). */
export function choiceLabel(member: Member, name: string, locale: string): string {
  const chosen = member.fields[name];
  const value = fieldByName(name)?.values?.find(({ code }) => code === chosen);
  return value ? labelIn(value.labels, locale) : '';
}
