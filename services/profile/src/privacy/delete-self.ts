import { deletionDays } from '@covalence/contract/peers/privacy-api';
import { unchecked } from '@covalence/contract/parameters';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { z } from 'zod';
import type { PrivacyContext } from './privacy.ts';
import { siteOf } from '../members/members.ts';
import { flagAdmission } from '../members/flag-admission.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { checkFields } from '../members/checks/check-fields.ts';
import { erasureAfter } from '../members/document/account-status.ts';

/** DELETE /members/self */
export const deleteSelf = memberEndpoint({
  recentSignIn: recentSignInSeconds,
  tag: 'Members',
  operationId: 'deleteMember',
  summary: 'Delete your own profile',
  description:
    'Needs a sign-in at most 10 minutes old. Deactivates the member at once, ends the renewal of a membership, and erases everything 30 days later. Signing in before then, with the credentials entered twice, restores everything except the renewal.',
  answer: 'When the profile will be erased.',
  example: { request: { reason_id: 1 } },
  input: z.object({
    reason_id: unchecked({ type: 'integer', description: 'One of GET /reasons/profile/delete.' }),
  }),
  output: z.object({ erased_after: z.iso.datetime() }).meta({ id: 'Deletion' }),
  codes: [failCodes.settingInvalid],
  handler: async ({ input, member }, context: PrivacyContext) => {
    const now = context.clock();
    const sent = input.reason_id === undefined ? {} : { reason_id: input.reason_id };
    const { values, failed } = checkFields(sent, 'update', siteOf(context, member.siteid), now);
    if (failed.size) throw invalidArgument(...failed.values());
    const { reason_id } = values;
    // Auth sends the mail: while it is down, the renewal must continue, so this call fails first.
    await context.auth.readEmail({ member_id: member.member_id });
    // Before the member is deactivated, because the call cannot be repeated afterwards.
    await context.billing.switchRenewal({ member: member._id, autorenew: false });
    await context.auth.notifyDeletion({ member_id: member.member_id, days: deletionDays });
    const erase_at = erasureAfter(now);
    const after = await context.members.store.change(member._id, ({ deleted }) =>
      deleted
        ? undefined
        : {
            deactivated: true,
            deactivation_changed_at: now,
            erase_at,
            ...(typeof reason_id === 'number' && { reason_id }),
          },
    );
    await flagAdmission(context, after ?? member);
    return { erased_after: erase_at.toISOString() };
  },
});
