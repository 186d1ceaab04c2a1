import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/members/erase: the history of what the member was told. Idempotent. */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, { history }: Context) => {
    await history.erase(id);
    return {};
  },
});
