import { notFound } from '@covalence/contract/failure';
import { reactivateMember } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { flagAdmission } from './flag-admission.ts';

/** POST /internal/members/reactivate: after credentials were given twice; a deletion is taken back too. Idempotent. */
export const reactivate = endpoint({
  access: 'service',
  summary: 'Reactivate a deactivated member',
  ...reactivateMember,
  handler: async ({ input }, context: Context) => {
    const found = await context.members.byUuid(input.member_id);
    if (!found || found.deleted) throw notFound();
    const now = context.clock();
    const after = await context.members.change(found._id, ({ deactivated, deleted }) => {
      // Erased in this very moment: too late.
      if (deleted) throw notFound();
      return deactivated
        ? { deactivated: false, deactivation_changed_at: now, reason_id: undefined, erase_at: undefined }
        : undefined;
    });
    await flagAdmission(context, after ?? found);
    return {};
  },
});
