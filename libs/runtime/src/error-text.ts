import { types } from 'node:util';

/** The message of an error, also of one from another realm, or of any thrown value. */
export const errorText = (error: unknown): string =>
  types.isNativeError(error) ? error.message : String(error);

/** The message of an error and of its cause, on one line. */
export function reasonText(error: unknown): string {
  const errors = new Set<Error>();
  for (let one = error; types.isNativeError(one) && !errors.has(one); one = one.cause) errors.add(one);
  // Drivers wrap errors in others with the same message.
  return [...new Set([...errors].map(errorText))].join(': ') || errorText(error);
}
