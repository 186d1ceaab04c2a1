/** Parameters of a request by name, as they came off the wire. */
export type Parameters = Record<string, unknown>;

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The same parameters under the names that the operations know. Names that could reach a prototype are dropped.
 */
export function normalizeNames(parameters: Parameters, canonical: (name: string) => string): Parameters {
  const entries = Object.entries(parameters)
    .map(([name, value]) => [canonical(name.replace(/\[\]$/, '')), value] as const)
    .filter(([name]) => !forbidden.has(name));
  return Object.fromEntries(entries);
}
