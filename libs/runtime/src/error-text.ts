import { types } from 'node:util';

/** What an error says, also one of another realm, or where something else was thrown. */
export const errorText = (error: unknown): string =>
  types.isNativeError(error) ? error.message : String(error);

/** What an error says, and what made it, in one line. */
export function reasonText(error: unknown): string {
  const errors = new Set<Error>();
  for (let one = error; types.isNativeError(one) && !errors.has(one); one = one.cause) errors.add(one);
  // Drivers wrap an error in others that say the same.
  return [...new Set([...errors].map(errorText))].join(': ') || errorText(error);
}
