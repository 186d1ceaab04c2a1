import { types } from 'node:util';

/** What an error says, also one of another realm, or where something else was thrown. */
export const errorText = (error: unknown): string =>
  types.isNativeError(error) ? error.message : String(error);
