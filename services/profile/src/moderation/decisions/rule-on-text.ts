import type { MemberPatch } from '../../members/store/member-store.ts';
import { isFreeTextAnswer } from '../../members/document/answers.ts';
import { applied, pendingText, textOf, without } from '../../members/document/member-values.ts';
import type { FieldValues, Member } from '../../members/document/member.ts';
import { movedPlace } from '../../members/places/complete-place.ts';
import type { Ruling } from '../decide.ts';

/** What staff decide on a text. */
export type TextDecision = 'approved' | 'rejected';

/**
 * The fields with an approved text. An approved city also updates the place, as an update without review does; place
 * fields that the member sent with it or after it stay.
 */
function withText(member: Member, field: string, text: string): FieldValues {
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
