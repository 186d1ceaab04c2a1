import { accountFields } from './account-fields.ts';
import type { Field } from './field.ts';
import { prefixFields } from './prefix-fields.ts';
import { settingFields } from './setting-fields.ts';
import { traitFields } from './trait-fields.ts';

/** The field catalogue: every field of spec 2.8 once, in the order in which failure codes are reported (D3). */
export const fields: readonly Field[] = [...accountFields, ...settingFields, ...traitFields, ...prefixFields];

const byName = new Map(fields.map((field) => [field.name, field]));
const byAlias = new Map(fields.flatMap((field) => (field.aliases ?? []).map((alias) => [alias, field.name])));

/** The field of a canonical name, or undefined where the catalogue has none. */
export function fieldByName(name: string): Field | undefined {
  return byName.get(name);
}

/** A parameter's name as the catalogue spells it: lowercase, underscores, legacy spellings resolved (D1). */
export function canonicalName(name: string): string {
  const normalized = name.toLowerCase().replaceAll('-', '_');
  return byAlias.get(normalized) ?? normalized;
}
