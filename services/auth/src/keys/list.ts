import { listKeys } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { KeyContext } from './key-ring.ts';

/** POST /internal/keys/list: lists the valid signing keys. */
export const list = endpoint({
  access: 'service',
  summary: 'List the valid signing keys',
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
