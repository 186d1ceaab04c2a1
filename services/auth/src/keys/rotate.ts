import { rotateKeys } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { KeyContext } from './key-ring.ts';

/** POST /internal/keys/rotate: adds a signing key, which signs after a minute. Nobody is signed out. */
export const rotate = endpoint({
  access: 'service',
  summary: 'Add a signing key, which signs after a minute',
  ...rotateKeys,
  handler: async (_call, { keys, security }: KeyContext) => {
    const kid = await keys.ring.rotate();
    security.record('key_rotated', {});
    return { kid };
  },
});
