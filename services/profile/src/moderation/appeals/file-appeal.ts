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
import { erasureAfter } from '../../members/document/account-status.ts';
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

/** A decision with a statement to the member, and its appeal. Throws 404 where there is none. */
async function statedTo(context: ModerationContext, member: Member | undefined, id: string) {
  const { decisions, appeals } = context.moderation;
  if (member) await tryMoveDecisions(context, member);
  const decision = await decisions.find(id);
  if (!member || decision?.member !== member._id || !decision.statement) throw notFound();
  const [appeal, undone] = await Promise.all([appeals.against(id), decisions.undoneOf(member._id, [id])]);
  const state = appealStateOf(decision, appeal, { isReversed: undone.has(id), now: context.clock() });
  return { decision, state };
}

/** Files the appeal of a member. Throws 409 where the decision cannot be appealed any more. */
async function appeal(context: ModerationContext, member: Member | undefined, id: string, text: string) {
  const { decision, state } = await statedTo(context, member, id);
  if (!member || state !== 'open') throw conflicting();
  const at = context.clock();
  // A deletion is erased after the appeal at the earliest.
  if (decision.action === 'delete')
    await context.members.store.change(member._id, ({ deleted, erase_at }) =>
      deleted && erase_at && erase_at > at ? { erase_at: erasureAfter(at) } : undefined,
    );
  const { _id, siteid } = member;
  const filed = { id: v7(), decision: id, member: _id, siteid, text, at, waits: true } as const;
  if (!(await context.moderation.appeals.file(filed))) throw conflicting();
}

/** POST /members/self/decisions/{decisionid}/appeal */
export const appealDecision = memberEndpoint({
  tag: 'Members',
  operationId: 'appealDecision',
  summary: 'Appeal a decision',
  description:
    'Once for each decision, within six months, at no cost; another person decides. 409 afterwards, and where the decision was taken back. Members who cannot sign in use the link of the mail.',
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
    await appeal(context, member, decisionid, text);
    return {};
  },
});

/** POST /internal/decisions/appeal/read: whether a decision can be appealed; 404 where there is none. */
export const appealOf = endpoint({
  access: 'service',
  summary: 'Whether a decision can be appealed',
  ...readContract,
  async handler({ input: { member_id, decision_id } }, context: ModerationContext) {
    const { state } = await statedTo(context, await context.members.store.byUuid(member_id), decision_id);
    return { state };
  },
});

/** POST /internal/decisions/appeal: files the appeal of a member who may be unable to sign in. */
export const appealOnPage = endpoint({
  access: 'service',
  summary: 'Appeal a decision on the hosted page',
  ...fileContract,
  async handler({ input: { member_id, decision_id, text } }, context: ModerationContext) {
    await appeal(context, await context.members.store.byUuid(member_id), decision_id, text);
    return {};
  },
});
