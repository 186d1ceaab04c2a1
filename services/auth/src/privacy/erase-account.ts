import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { endFamiliesOf } from '../tokens/families/end-families.ts';

/**
 * POST /internal/members/erase: the account, its names, every sign-in, and whatever Redis keeps that names it. The names
 * are free for others then. Idempotent.
 */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase an account',
  ...eraseMember,
  handler: async ({ input: { member_id } }, context: Context) => {
    const { accounts, families, shortLived, attempts } = context;
    await accounts.erase(member_id);
    await endFamiliesOf(member_id, undefined, context);
    await families.erase(member_id);
    await Promise.all([
      shortLived.eraseAccount(member_id),
      attempts.forgive('account', member_id),
      attempts.forgive('mailAccount', member_id),
    ]);
    return {};
  },
});
