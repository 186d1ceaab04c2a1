import { parameterName } from '@covalence/contract/parameter-name';

/** Parameters of a request by their original names. */
export type Parameters = Record<string, unknown>;

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Renames parameters to their canonical names and drops names that could reach a prototype. A parameter's own name wins over
 * an alias beside it: a client that edits one of the two in a record changes the current one.
 */
export function normalizeNames(parameters: Parameters, canonical: (name: string) => string): Parameters {
  const entries = Object.entries(parameters)
    .map(([name, value]) => {
      const spelled = name.replace(/\[\]$/, '');
      return { name: canonical(spelled), value, isAlias: canonical(spelled) !== parameterName(spelled) };
    })
    .filter(({ name }) => !forbidden.has(name))
    .sort((one, other) => Number(other.isAlias) - Number(one.isAlias));
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}
