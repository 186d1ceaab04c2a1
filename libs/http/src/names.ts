/** Parameters of a request by their original names. */
export type Parameters = Record<string, unknown>;

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Renames parameters to their canonical names and drops names that could reach a prototype. */
export function normalizeNames(parameters: Parameters, canonical: (name: string) => string): Parameters {
  const entries = Object.entries(parameters)
    .map(([name, value]) => [canonical(name.replace(/\[\]$/, '')), value] as const)
    .filter(([name]) => !forbidden.has(name));
  return Object.fromEntries(entries);
}
