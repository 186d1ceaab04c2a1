import { types } from 'node:util';

/** The system's code of an error, such as ENOENT; also for errors of another realm, as in jest. */
export function errorCode(error: unknown): unknown {
  return types.isNativeError(error) && 'code' in error ? error.code : undefined;
}
