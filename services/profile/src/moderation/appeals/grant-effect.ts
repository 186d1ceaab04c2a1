import { z } from 'zod';
import type { Decision, Member } from '../../members/document/member.ts';
import type { ModerationContext } from '../moderation.ts';

/** A decision that an appeal against another one leaves, as staff see it. */
export const laterDecisionSchema = z
  .strictObject({
    decision_id: z.uuid(),
    action: z.string().meta({ examples: ['suspend'] }),
    at: z.iso.datetime(),
    staff_id: z.string(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'StaffLaterDecision' });

/** The same in an answer. */
export const laterDecisionView = ({
  id: decision_id,
  action,
  at,
  staff: staff_id,
  reason,
}: Decision): z.output<typeof laterDecisionSchema> => ({
  decision_id,
  action,
  at: at.toISOString(),
  staff_id,
  reason: reason ?? null,
});

/** The other decision that restricts the same, also after an appeal against a decision was granted. */
export async function otherDecision(
  { moderation: { decisions } }: ModerationContext,
  { deleted, suspended }: Member,
  decision: Decision,
): Promise<Decision | undefined> {
  const { id, member, action } = decision;
  if (action !== 'suspend' && action !== 'delete') {
    const replacement = await decisions.replacementOf(decision);
    return replacement?.action === action ? replacement : undefined;
  }
  const inForce = [
    deleted ? await decisions.latest(member, 'delete') : undefined,
    suspended ? await decisions.latest(member, 'suspend') : undefined,
  ];
  return inForce.find((each) => each && each.id !== id);
}

/** The effect of a granted appeal: whether something was taken back, and the other decision that stands. Undefined before it is carried out. */
export async function effectOfGrant(context: ModerationContext, decision: Decision) {
  const granting = await context.moderation.decisions.granting(decision);
  if (!granting) return undefined;
  const member = await context.members.store.byId(decision.member);
  return {
    isTakenBack: !granting.ineffective,
    other: member && (await otherDecision(context, member, decision)),
  };
}
