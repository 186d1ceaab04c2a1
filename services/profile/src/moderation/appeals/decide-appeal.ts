import { conflicting, forbidden, invalidArgument, orNotFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Decision } from '../../members/document/member.ts';
import { localeFor } from '../../members/members.ts';
import type { AppealOutcome } from '../store/appeal-store.ts';
import { effectOfGrant, laterDecisionSchema, laterDecisionView } from './grant-effect.ts';
import type { ModerationContext } from '../moderation.ts';
import { reason, savedReason, textOfReason, type ReasonKind } from '../saved-reasons.ts';
import type { DecisionDocument } from '../staff-call.ts';
import { isMadeBy, requireReversible, carryOut } from './reverse-decision.ts';
import { logDecision } from '../decide.ts';

/** An appeal and the decision that it is against. Throws 404 where there is none. */
async function appealOf({ moderation }: ModerationContext, id: string) {
  const appeal = orNotFound(await moderation.appeals.find(id));
  return { appeal, decision: orNotFound(await moderation.decisions.find(appeal.decision)) };
}

/** The kind of saved reason for a decision on a profile, text or photo; all others are on the account. */
const kinds: Partial<Record<Decision['action'], ReasonKind>> = {
  reject: 'profile',
  'reject-text': 'text',
  'reject-photo': 'photo',
};

/** The answer that the member receives: a text, or a saved reason in the member's language. Throws 403 for both. */
async function answerOf(
  context: ModerationContext,
  { member: number, action, closed }: Decision,
  {
    answer,
    reason_id: saved,
  }: { readonly answer?: string | undefined; readonly reason_id?: string | undefined },
): Promise<string | undefined> {
  if (saved === undefined) return answer;
  // Saved reasons say what is wrong with a member, and not why a reporter is.
  if (action === 'close-report') throw invalidArgument();
  const member = await context.members.store.byId(number);
  const siteid = orNotFound(member?.siteid ?? closed?.siteid);
  if (answer !== undefined) throw invalidArgument();
  const { savedReasons } = context.moderation;
  const found = savedReason(saved, kinds[action] ?? 'account', siteid, savedReasons);
  return textOfReason(found, member ? localeFor(context, member) : (closed?.locale ?? ''));
}

const input = z.object({
  appealid: z.uuid().toLowerCase().meta({ description: 'The appeal.' }),
  answer: reason.optional().meta({ description: 'The answer to the member, in their language.' }),
  reason_id: z.string().optional().meta({
    description: 'A saved reason (GET /staff/reasons) instead of `answer`.',
  }),
});

const deciding = (
  outcome: AppealOutcome,
  document: DecisionDocument,
  accepted: z.ZodType<z.output<typeof input>> = input,
) =>
  endpoint({
    access: 'staff',
    staff: {
      roles: ['moderator'],
      site: async ({ appealid }: { readonly appealid: string }, context: ModerationContext) =>
        (await appealOf(context, appealid)).appeal.siteid,
      about: async ({ appealid }, context: ModerationContext) => {
        const { appeal, decision } = await appealOf(context, appealid);
        return [...new Set([appeal.member, decision.member])];
      },
    },
    ...document,
    answer: 'The appeal is decided.',
    example: {
      request: { appealid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77', answer: 'We have looked at it again.' },
    },
    statuses: [404, 409],
    input: accepted,
    output: z
      .object({
        id: z.int().meta({ description: 'The member who appealed.', examples: [1002] }),
        taken_back: z.boolean().meta({
          description:
            'Something was taken back. False for a refusal, and where nothing of it was in force any more.',
        }),
        later: laterDecisionSchema
          .nullable()
          .meta({ description: 'The other decision that restricts the same, and stands.' }),
      })
      .meta({ id: 'AppealDecision' }),
    handler: async ({ input: { appealid, ...given }, caller, sites }, context: ModerationContext) => {
      const { decision } = await appealOf(context, appealid);
      const staff = caller.memberId;
      if (isMadeBy(decision, staff)) throw forbidden();
      if (outcome === 'granted') await requireReversible(context, decision, sites);
      const answer = await answerOf(context, decision, given);
      const at = context.clock();
      const made = { at, staff, as: v7(), outcome, ...(answer !== undefined && { answer }) };
      const appeal = await context.moderation.appeals.decide(appealid, made);
      const decided = appeal?.decided;
      if (!appeal || decided?.staff !== staff || decided.outcome !== outcome) throw conflicting();
      if (decided.as === made.as) context.metrics.staffDecisions.inc({ kind: 'appeal' });
      // Also where it was decided before, because an earlier call may have failed before this step.
      const authority = { as: decided.as, staff: caller, sites, reason: decided.answer };
      if (outcome === 'granted') await carryOut(context, appealid, decision, authority);
      else {
        const entry = { id: decided.as, member: decision.member, staff, at: decided.at };
        const isReport = decision.action === 'close-report';
        const action = isReport ? 'keep-report-closed' : 'refuse-appeal';
        // The answer to a reporter goes with the appeal when either is erased.
        const why = isReport || decided.answer === undefined ? {} : { reason: decided.answer };
        await logDecision(context, { ...entry, ...why, action });
      }
      const effect = outcome === 'granted' ? await effectOfGrant(context, decision) : undefined;
      const { isTakenBack = false, other } = effect ?? {};
      return { id: appeal.member, taken_back: isTakenBack, later: other ? laterDecisionView(other) : null };
    },
  });

/** POST /staff/appeals/{appealid}/grant */
export const grantAppeal = deciding('granted', {
  operationId: 'grantStaffAppeal',
  summary: 'Grant an appeal',
  description:
    'Takes back everything that the decision did and that is still in force: profile, text or photo are approved, a suspension or deletion ends, entries of the ban list go. Another decision on the same stands, is in `later`, and can be appealed itself; nothing is taken back (`taken_back` false) where the member changed what was rejected, or somebody else has the username. A reporter’s report is open again. The mail to the member says the same. 403 if the caller made or approved the decision, or if a ban is on sites that the role does not cover; 409 if the appeal is decided.',
});
/** POST /staff/appeals/{appealid}/refuse */
export const refuseAppeal = deciding(
  'refused',
  {
    operationId: 'refuseStaffAppeal',
    summary: 'Refuse an appeal',
    description:
      'The decision stands. The member gets the answer, which is required, by mail; a reporter gets no saved reason. 403 if the caller made or approved the decision; 409 if the appeal is decided.',
  },
  input.refine(({ answer, reason_id }) => answer !== undefined || reason_id !== undefined),
);
