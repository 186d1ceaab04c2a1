import { conflicting, notFound } from '@covalence/contract/failure';
import {
  appealDays,
  appealText,
  fileAppeal as fileContract,
  readAppeal as readContract,
  type AppealState,
} from '@covalence/contract/internal/appeals-api';
import { dayMs } from '@covalence/contract/time';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Decision, Member } from '../../members/document/member.ts';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import type { Appeal } from '../appeal-store.ts';
import { tryMoveDecisions } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';

/** Until when a decision can be appealed. */
export const appealableUntil = ({ at }: Decision): Date => new Date(at.getTime() + appealDays * dayMs);

/** Whether a decision can be appealed, and what became of it. */
export function appealStateOf(
  decision: Decision,
  appeal: Appeal | undefined,
  { isReversed, now }: { readonly isReversed: boolean; readonly now: Date },
): AppealState {
  if (appeal) return appeal.decided?.outcome ?? 'waiting';
  return isReversed || appealableUntil(decision) <= now ? 'ended' : 'open';
}

/** The site of the member to whom a decision was made, who may be erased; undefined where it was made to somebody else. */
function siteOfAppellant(decision: Decision | undefined, memberId: string, member: Member | undefined) {
  if (member) return decision?.member === member._id ? member.siteid : undefined;
  return decision?.closed?.member_id === memberId ? decision.closed.siteid : undefined;
}

/** A decision with a statement to the member, and its appeal. Throws 404 where there is none. */
async function statedTo(context: ModerationContext, memberId: string, id: string) {
  const { decisions, appeals } = context.moderation;
  const member = await context.members.store.byUuid(memberId);
  if (member) await tryMoveDecisions(context, member);
  const decision = await decisions.find(id);
  const siteid = siteOfAppellant(decision, memberId, member);
  if (!decision?.statement || siteid === undefined) throw notFound();
  const [appeal, undone] = await Promise.all([
    appeals.against(id),
    decisions.undoneOf(decision.member, [id]),
  ]);
  const state = appealStateOf(decision, appeal, { isReversed: undone.has(id), now: context.clock() });
  return { member: decision.member, siteid, isErased: !member, state, answer: appeal?.decided?.answer };
}

/** Files the appeal of a member. Throws 409 where the decision cannot be appealed any more. */
async function appeal(context: ModerationContext, memberId: string, id: string, text: string) {
  const { member, siteid, state } = await statedTo(context, memberId, id);
  if (state !== 'open') throw conflicting();
  const filed = { id: v7(), decision: id, member, siteid, text, at: context.clock(), waits: true } as const;
  if (!(await context.moderation.appeals.file(filed))) throw conflicting();
}

/** POST /members/self/decisions/{decisionid}/appeal */
export const appealDecision = memberEndpoint({
  tag: 'Members',
  operationId: 'appealDecision',
  summary: 'Appeal a decision',
  description:
    'Once for each decision, within six months, at no cost; another person decides. 409 afterwards, and where the decision was taken back. Members who cannot sign in use the link of the mail, also after the erasure that follows a deletion by staff.',
  answer: 'The appeal is filed.',
  example: {
    request: {
      decisionid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
      text: 'The photo shows me and my sister.',
    },
  },
  statuses: [404, 409],
  input: z.object({
    decisionid: z.uuid().toLowerCase().meta({ description: 'The decision.' }),
    text: appealText.meta({ description: 'Why the decision is wrong.' }),
  }),
  output: z.object({}),
  handler: async ({ input: { decisionid, text }, member }, context: ModerationContext) => {
    await appeal(context, member.member_id, decisionid, text);
    return {};
  },
});

/** POST /internal/decisions/appeal/read: whether a decision can be appealed; 404 where there is none. */
export const appealOf = endpoint({
  access: 'service',
  summary: 'Whether a decision can be appealed',
  ...readContract,
  async handler({ input: { member_id, decision_id } }, context: ModerationContext) {
    const { siteid, isErased, state, answer } = await statedTo(context, member_id, decision_id);
    return { siteid, state, ...(answer !== undefined && { answer }), erased: isErased };
  },
});

/** POST /internal/decisions/appeal: files the appeal of a member who may be unable to sign in. */
export const appealOnPage = endpoint({
  access: 'service',
  summary: 'Appeal a decision on the hosted page',
  ...fileContract,
  async handler({ input: { member_id, decision_id, text } }, context: ModerationContext) {
    await appeal(context, member_id, decision_id, text);
    return {};
  },
});
