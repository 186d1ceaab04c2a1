import { types } from 'node:util';

/** What an error says, also one of another realm, or where something else was thrown. */
export const errorText = (error: unknown): string =>
  types.isNativeError(error) ? error.message : String(error);

/** What an error says, and what made it, in one line. */
export function reasonText(error: unknown): string {
  const cause = types.isNativeError(error) ? error.cause : undefined;
  return cause === undefined || cause === error
    ? errorText(error)
    : `${errorText(error)}: ${reasonText(cause)}`;
}
