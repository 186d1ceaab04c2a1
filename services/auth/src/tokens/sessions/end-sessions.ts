import { endSessions } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../../context.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** POST /internal/sessions/end: the member has to sign in again everywhere. Idempotent. */
export const end = endpoint({
  access: 'service',
  summary: 'End every session of a member',
  ...endSessions,
  handler: async ({ input: { member_id } }, context: Context) => {
    await signOutEverywhere(member_id, context);
    return {};
  },
});
