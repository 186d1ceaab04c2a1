import { profileidInPath } from '@covalence/contract/parameters';
import { canonicalName } from '@covalence/contract/catalogue/fields';
import { notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { pendingText, textOf } from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import { isReviewedText } from '../../members/checks/check-texts.ts';
import { decide } from '../decide.ts';
import { conflict, holdTo, textRevision } from '../revision.ts';
import { ruleOnText, type TextDecision } from './rule-on-text.ts';
import { decisionInput, memberOf, type DecisionDocument } from '../staff-call.ts';

/** Sets the login names in the auth service to the member's username and the one that waits. */
async function restoreNames({ auth, members }: ModerationContext, id: number): Promise<void> {
  const member = await members.store.byId(id);
  if (!member) return;
  const { member_id, pending } = member;
  await auth.applyUsername({ member_id, username: textOf(member, 'username') });
  if (pending.username) await auth.claimUsername({ member_id, username: pending.username });
}

/**
 * Approves a username. It becomes the login name first, so that a failure leaves the entry in the queue (10101 where
 * the claim was lost). A conflict with another change restores the login name.
 */
async function approvingUsername<T>(
  context: ModerationContext,
  member: Member,
  decideOn: () => Promise<T>,
): Promise<T> {
  const username = member.pending.username;
  if (username === undefined) return decideOn();
  await context.auth.applyUsername({ member_id: member.member_id, username });
  try {
    return await decideOn();
  } catch (error) {
    await restoreNames(context, member._id);
    throw error;
  }
}

/**
 * Releases the claim of a rejected username. Also where none waits, because an earlier call may have failed before
 * this step.
 */
async function releaseUsername({ auth }: ModerationContext, member: Member): Promise<void> {
  if (member.pending.username !== undefined || member.deleted) return;
  await auth.claimUsername({ member_id: member.member_id, username: textOf(member, 'username') });
}

const deciding = (decision: TextDecision, document: DecisionDocument) =>
  endpoint({
    access: 'staff',
    tag: 'Staff',
    ...document,
    answer: 'Whether the call changed the text.',
    example: { request: { id: '1002', field: 'headline' } },
    statuses: [409],
    input: z.object({
      id: profileidInPath,
      field: z.string().meta({ description: 'Name of the text’s field.' }),
      ...decisionInput,
    }),
    output: z
      .object({
        id: z.int().meta({ examples: [1002] }),
        field: z.string().meta({ examples: ['headline'] }),
        changed: z.boolean().meta({ examples: [true] }),
      })
      .meta({ id: 'TextDecision' }),
    codes: [failCodes.usernameTaken],
    handler: async ({ input, caller }, context: ModerationContext) => {
      const field = canonicalName(input.field);
      if (!isReviewedText(field)) throw notFound();
      const seen = await memberOf(context, input.id);
      holdTo(input.revision, textRevision(seen, field));
      const authority = { staff: caller, reason: input.reason };
      const decideOn = () =>
        decide(context, seen._id, authority, (current) => {
          const same = textRevision(current, field) === textRevision(seen, field);
          const ruling = ruleOnText(current, field, decision);
          // Staff cannot approve a text that they have not seen.
          if (ruling && !same) throw conflict();
          // Another decision with another outcome came first.
          if (!ruling && !same && !isOutcome(current, seen, field, decision)) throw conflict();
          return ruling;
        });
      const isName = field === 'username';
      const { changed, member } =
        isName && decision === 'approved'
          ? await approvingUsername(context, seen, decideOn)
          : await decideOn();
      if (isName && decision === 'rejected') await releaseUsername(context, member);
      return { id: member._id, field, changed };
    },
  });

/** Whether the text that waited has the outcome of the decision. */
function isOutcome(current: Member, seen: Member, field: string, decision: TextDecision): boolean {
  const isCurrent = textOf(current, field) === pendingText(seen, field);
  return isCurrent === (decision === 'approved');
}

/** POST /staff/members/{id}/texts/{field}/approve: the text that waits becomes current. */
export const approveText = deciding('approved', {
  operationId: 'approveText',
  summary: 'Approve a text',
  description: 'The text that waits becomes current.',
});
/** POST /staff/members/{id}/texts/{field}/reject: the text that waits is dropped, a flagged one taken away. */
export const rejectText = deciding('rejected', {
  operationId: 'rejectText',
  summary: 'Reject a text',
  description: 'The text that waits is dropped; a flagged current text is removed.',
});
