import { profileidInPath } from '@covalence/contract/parameters';
import { canonicalName } from '@covalence/contract/catalogue/fields';
import { conflicting, notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { MemberPatch } from '../../members/store/member-store.ts';
import {
  isFreeTextAnswer,
  applied,
  pendingText,
  textOf,
  without,
} from '../../members/document/member-values.ts';
import type { FieldValues, Member } from '../../members/document/member.ts';
import { movedPlace } from '../../members/places/complete-place.ts';
import { type Ruling, decide, unlessMade } from '../decide.ts';
import { requireUnclaimed } from '../hold-claim.ts';
import type { ModerationContext } from '../moderation.ts';
import { isReviewedText } from '../../members/checks/check-texts.ts';
import {
  whyOf,
  decisionIdShape,
  hasReason,
  holdTo,
  textRevision,
  decisionInput,
  memberOf,
  onMember,
  type DecisionDocument,
} from '../staff-call.ts';

type TextDecision = 'approved' | 'rejected';

/** The fields with an approved text. A city moves the place; place fields that the member sent with it or later stay. */
export function withText(member: Member, field: string, text: string): FieldValues {
  if (field !== 'city') return { ...member.fields, [field]: text };
  const sent = (member.pending_place ?? []).map((name) => [name, member.fields[name] ?? null] as const);
  const moved = movedPlace({ ...member.fields }, { ...Object.fromEntries(sent), city: text });
  return applied(member.fields, { ...moved, city: text });
}

/** A text that waits becomes current or is dropped. */
const ofPending = (member: Member, field: string, text: string, decision: TextDecision): MemberPatch => ({
  pending: without(member.pending, [field]),
  ...(field === 'city' && { pending_place: undefined }),
  ...(decision === 'approved' && { fields: withText(member, field, text) }),
});

/** A free-text answer is approved, or reset to the approved one. */
const ofAnswer = (member: Member, field: string, text: string, decision: TextDecision): MemberPatch => {
  const { fields, approved_answers: approved = {} } = member;
  if (decision === 'approved') return { approved_answers: { ...approved, [field]: text } };
  const before = approved[field];
  return { fields: before === undefined ? without(fields, [field]) : { ...fields, [field]: before } };
};

/** A current text with contact data stays, or is removed. */
const ofCurrent = (member: Member, field: string, decision: TextDecision): MemberPatch =>
  decision === 'approved'
    ? {}
    : {
        fields: without(member.fields, [field]),
        approved_answers: without(member.approved_answers ?? {}, [field]),
      };

/** The ruling on the text of a field; undefined where no text waits. */
export function ruleOnText(member: Member, field: string, decision: TextDecision): Ruling | undefined {
  const { flags = {}, deleted } = member;
  const text = pendingText(member, field);
  if (deleted || (text === undefined && !(field in flags))) return undefined;
  const ofWaiting = isFreeTextAnswer(field) ? ofAnswer : ofPending;
  const patch =
    text === undefined ? ofCurrent(member, field, decision) : ofWaiting(member, field, text, decision);
  return {
    patch: { ...patch, flags: without(flags, [field]) },
    entry:
      decision === 'approved'
        ? { action: 'approve-text', field }
        : { action: 'reject-text', field, rejected: { text: text ?? textOf(member, field) } },
    notification: { type: 'moderation.decided', data: { subject: 'text', decision, field } },
  };
}

/** Sets the login names in the auth service to the member's username and the one that waits. */
export async function restoreNames({ auth, members }: ModerationContext, id: number): Promise<void> {
  const member = await members.store.byId(id);
  if (!member) return;
  const { member_id, pending } = member;
  await auth.applyUsername({ member_id, username: textOf(member, 'username') });
  if (pending.username) await auth.claimUsername({ member_id, username: pending.username });
}

/** Makes an approved username the login name first, so that a failure leaves it in the queue. A conflict reverts that. */
async function approvingUsername<T>(context: ModerationContext, member: Member, decideOn: () => Promise<T>) {
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

/** Releases the claim of a rejected username, also where none waits: an earlier call may have failed before this step. */
async function releaseUsername({ auth }: ModerationContext, member: Member): Promise<void> {
  if (member.pending.username !== undefined || member.deleted) return;
  await auth.claimUsername({ member_id: member.member_id, username: textOf(member, 'username') });
}

const deciding = (decision: TextDecision, document: DecisionDocument) =>
  endpoint({
    access: 'staff',
    staff: onMember('moderator'),
    ...document,
    answer: 'Whether the call changed the text.',
    example: { request: { id: '1002', field: 'headline', reason: 'Fits the terms' } },
    statuses: [409],
    input: z
      .object({
        id: profileidInPath,
        field: z.string().meta({ description: 'Name of the text’s field.' }),
        ...decisionInput,
      })
      .refine((given) => decision === 'approved' || hasReason(given)),
    output: z
      .object({
        id: z.int().meta({ examples: [1002] }),
        field: z.string().meta({ examples: ['headline'] }),
        changed: z.boolean().meta({ examples: [true] }),
        ...decisionIdShape,
      })
      .meta({ id: 'TextDecision' }),
    codes: [failCodes.usernameTaken],
    handler: async ({ input, caller }, context: ModerationContext) => {
      const field = canonicalName(input.field);
      if (!isReviewedText(field)) throw notFound();
      const { revision } = input;
      const seen = await memberOf(context, input.id);
      const authority = { staff: caller, ...whyOf(input), kind: 'text' as const, revision };
      const decideOn = () =>
        decide(context, seen._id, authority, (current) => {
          const same = textRevision(current, field) === textRevision(seen, field);
          const ruling = ruleOnText(current, field, decision);
          // Staff cannot approve a text that they have not seen.
          if (ruling && !same) throw conflicting();
          // Another decision with another outcome came first.
          if (!ruling && !same && !isOutcome(current, seen, field, decision)) throw conflicting();
          return ruling;
        });
      const isName = field === 'username';
      const action = decision === 'approved' ? ('approve-text' as const) : ('reject-text' as const);
      const madeBefore = { member: seen._id, staff: caller.memberId, action, field, revision };
      const made = await unlessMade(context, madeBefore, async () => {
        holdTo(revision, textRevision(seen, field));
        // Before the login name changes.
        await requireUnclaimed(context, { kind: 'text', key: seen._id }, caller);
        return isName && decision === 'approved' ? approvingUsername(context, seen, decideOn) : decideOn();
      });
      if (isName && decision === 'rejected') await releaseUsername(context, made.member);
      return { id: made.member._id, field, changed: made.changed, decision_id: made.decision };
    },
  });

function isOutcome(current: Member, seen: Member, field: string, decision: TextDecision): boolean {
  const isCurrent = textOf(current, field) === pendingText(seen, field);
  return isCurrent === (decision === 'approved');
}

/** POST /staff/members/{id}/texts/{field}/approve */
export const approveText = deciding('approved', {
  operationId: 'approveText',
  summary: 'Approve a text',
  description: 'The text that waits becomes current.',
});
/** POST /staff/members/{id}/texts/{field}/reject */
export const rejectText = deciding('rejected', {
  operationId: 'rejectText',
  summary: 'Reject a text',
  description: 'The text that waits is dropped; a flagged current text is removed.',
});
