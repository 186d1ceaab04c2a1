import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/members/erase: deletes the member's history and presence. Idempotent. */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, { history, presence }: Context) => {
    await Promise.all([history.erase(id), presence.forget(id)]);
    return {};
  },
});
