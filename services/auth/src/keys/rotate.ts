import { rotateKeys } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/keys/rotate: adds a signing key; it signs a minute later, and nobody is signed out. */
export const rotate = endpoint({
  access: 'service',
  summary: 'Add a signing key, which takes over a minute later',
  ...rotateKeys,
  handler: async (_call, { keyRing, security }: Context) => {
    const kid = await keyRing.rotate();
    security.record('key_rotated', {});
    return { kid };
  },
});
