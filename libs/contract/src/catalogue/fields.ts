import { parameterName } from '../parameter-name.ts';
import { accountFields } from './account-fields.ts';
import { answerFields } from './answers.ts';
import type { Field } from './field.ts';
import { settingFields } from './setting-fields.ts';

/** The field catalogue: every field of a profile once, in the order in which failure codes are reported. */
export const fields: readonly Field[] = [...accountFields, ...settingFields, ...answerFields];

const byName = new Map(fields.map((field) => [field.name, field]));
const byAlias = new Map(fields.flatMap((field) => (field.aliases ?? []).map((alias) => [alias, field.name])));

/** The field of a canonical name, or undefined where the catalogue has none. */
export function fieldByName(name: string): Field | undefined {
  return byName.get(name);
}

/** A parameter's name as the catalogue spells it: lowercase, underscores, legacy spellings resolved. */
export function canonicalName(name: string): string {
  const normalized = parameterName(name);
  return byAlias.get(normalized) ?? normalized;
}
