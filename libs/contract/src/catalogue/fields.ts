import { parameterName } from '../parameter-name.ts';
import { accountFields } from './account-fields.ts';
import { basicTraitFields } from './basic-trait-fields.ts';
import { favoriteFields } from './favorite-fields.ts';
import type { Field } from './field.ts';
import { interestFields } from './interest-fields.ts';
import { lifestyleFields } from './lifestyle-fields.ts';
import { opinionFields } from './opinion-fields.ts';
import { personalityFields } from './personality-fields.ts';
import { platinumTraitFields } from './platinum-trait-fields.ts';
import { questionFields } from './question-fields.ts';
import { settingFields } from './setting-fields.ts';

/** The field catalogue: every field of spec 2.8 once, in the order in which failure codes are reported (D3). */
export const fields: readonly Field[] = [
  ...accountFields,
  ...settingFields,
  ...basicTraitFields,
  ...platinumTraitFields,
  ...opinionFields,
  ...favoriteFields,
  ...interestFields,
  ...lifestyleFields,
  ...personalityFields,
  ...questionFields,
];

const byName = new Map(fields.map((field) => [field.name, field]));
const byAlias = new Map(fields.flatMap((field) => (field.aliases ?? []).map((alias) => [alias, field.name])));

/** The field of a canonical name, or undefined where the catalogue has none. */
export function fieldByName(name: string): Field | undefined {
  return byName.get(name);
}

/** A parameter's name as the catalogue spells it: lowercase, underscores, legacy spellings resolved (D1). */
export function canonicalName(name: string): string {
  const normalized = parameterName(name);
  return byAlias.get(normalized) ?? normalized;
}
