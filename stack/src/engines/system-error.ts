import { types } from 'node:util';

/** The system's code of an error, such as ENOENT. Errors of node itself may belong to another realm than this code. */
export function errorCode(error: unknown): unknown {
  return types.isNativeError(error) && 'code' in error ? error.code : undefined;
}
