import { listKeys } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { KeyContext } from './key-ring.ts';

/** POST /internal/keys/list: the signing keys in force. */
export const list = endpoint({
  access: 'service',
  summary: 'The signing keys in force',
  ...listKeys,
  handler: async (_call, { keys: { ring } }: KeyContext) => {
    const { signing, keys } = await ring.current();
    return {
      keys: keys.map((key) => ({
        kid: key.kid,
        active_from: key.activeFrom.toISOString(),
        signing: key === signing,
      })),
    };
  },
});
