import type { MemberPatch } from '../members/member-store.ts';
import type { FieldValues, Member } from '../members/member.ts';
import type { Ruling } from './decide.ts';

/** What staff decide on a text. */
export type TextDecision = 'approved' | 'rejected';

const without = <T extends object>(all: T, ...names: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name))) as T;

/** A city that is approved leaves coordinates of another place behind, unless they came with it. */
const placed = (fields: FieldValues, field: string, member: Member): FieldValues =>
  field === 'city' && !member.pending_position ? without(fields, 'latitude', 'longitude') : fields;

/** A text that waits becomes current or is dropped (D21). */
const ofPending = (member: Member, field: string, text: string, decision: TextDecision): MemberPatch => ({
  pending: without(member.pending, field),
  ...(field === 'city' && { pending_position: undefined }),
  ...(decision === 'approved' && { fields: placed({ ...member.fields, [field]: text }, field, member) }),
});

/** A text that stands with contact data in it stays, or is taken away. */
const ofCurrent = (member: Member, field: string, decision: TextDecision): MemberPatch =>
  decision === 'approved' ? {} : { fields: without(member.fields, field) };

/** The text of a field that waits for a decision. */
export function pendingText(member: Member, field: string): string | undefined {
  const pending: Readonly<Record<string, string>> = member.pending;
  return pending[field];
}

/** What a decision on a field's text changes, undefined where none is to be decided on. */
export function ruleOnText(member: Member, field: string, decision: TextDecision): Ruling | undefined {
  const { flags = {}, deleted } = member;
  const text = pendingText(member, field);
  if (deleted || (text === undefined && !(field in flags))) return undefined;
  const patch =
    text === undefined ? ofCurrent(member, field, decision) : ofPending(member, field, text, decision);
  return {
    patch: { ...patch, flags: without(flags, field) },
    entry: { action: decision === 'approved' ? 'approve-text' : 'reject-text', field },
    news: { type: 'moderation.decided', data: { subject: 'text', decision, field } },
  };
}
