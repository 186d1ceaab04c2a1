import type { Field } from '@covalence/contract/catalogue/field';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn } from '@covalence/contract/catalogue/labels';
import type { FieldValue, Member } from '../../members/document/member.ts';

const isList = (value: FieldValue): value is (string | number)[] => Array.isArray(value);

/** The text of a value: its localized choices, separated by commas, else the value itself. */
export function valueText({ values = [] }: Field, value: FieldValue, locale: string): string {
  const textOf = (each: FieldValue) => {
    const choice = values.find(({ code }) => code === each);
    return choice ? labelIn(choice.labels, locale) : String(each);
  };
  return isList(value) ? value.map(textOf).join(', ') : textOf(value);
}

/** The localized text of a member's choice in a catalogue field; '' where unset. */
export function choiceLabel(member: Member, name: string, locale: string): string {
  const [field, chosen] = [fieldByName(name), member.fields[name]];
  return field && chosen !== undefined ? valueText(field, chosen, locale) : '';
}
