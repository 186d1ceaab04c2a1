import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/members/erase: what the member was told and whether others were told of them. Idempotent. */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, { history, presence }: Context) => {
    await Promise.all([history.erase(id), presence.forget(id)]);
    return {};
  },
});
