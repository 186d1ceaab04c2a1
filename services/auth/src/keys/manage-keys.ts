import { listKeys, rotateKeys } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { KeyContext } from './key-ring.ts';

/** POST /internal/keys/list: lists the valid signing keys. */
export const listSigningKeys = serviceEndpoint(listKeys, async (_input, { keys: { ring } }: KeyContext) => {
  const { signing, keys } = await ring.current();
  return {
    keys: keys.map((key) => ({
      kid: key.kid,
      active_from: key.activeFrom.toISOString(),
      signing: key === signing,
    })),
  };
});

/** POST /internal/keys/rotate: adds a signing key, which signs after a minute. Nobody is signed out. */
export const rotateSigningKeys = serviceEndpoint(
  rotateKeys,
  async (_input, { keys, security }: KeyContext) => {
    const kid = await keys.ring.rotate();
    security.record('key_rotated', {});
    return { kid };
  },
);
