import { parameterName } from '../text/parameter-name.ts';
import { accountFields } from './account-fields.ts';
import { answerFields } from './answers.ts';
import type { Field } from './field.ts';
import { settingFields } from './setting-fields.ts';

/** Every field of a profile, in the order in which failure codes are reported. */
export const fields: readonly Field[] = [...accountFields, ...settingFields, ...answerFields];

const byName = new Map(fields.map((field) => [field.name, field]));
const byAlias = new Map(fields.flatMap((field) => (field.aliases ?? []).map((alias) => [alias, field.name])));

/** The field of a canonical name. */
export function fieldByName(name: string): Field | undefined {
  return byName.get(name);
}

/** The canonical name of a parameter: lowercase, underscores, aliases resolved. */
export function canonicalName(name: string): string {
  const normalized = parameterName(name);
  return byAlias.get(normalized) ?? normalized;
}
