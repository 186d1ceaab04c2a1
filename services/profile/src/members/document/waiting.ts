import { waitingAnswers } from './answers.ts';
import type { Member, Waiting } from './member.ts';

/** The kinds of review that members wait for. */
export const waitingKinds = ['profile', 'text', 'photo'] as const;

/** One of the kinds of review. */
export type WaitingKind = (typeof waitingKinds)[number];

/** The fields whose texts a person has to look at: those that wait, and published ones with contact data in them. */
export function textsToReview(member: Member): string[] {
  const { pending, flags = {}, userstatus } = member;
  const waiting = Object.keys(pending);
  // What a new member has written is looked at with the profile.
  const written = userstatus === 'new' ? [] : [...waitingAnswers(member), ...Object.keys(flags)];
  return [...new Set([...waiting, ...written])];
}

const needs: Record<WaitingKind, (member: Member) => boolean> = {
  profile: ({ userstatus }) => userstatus === 'new',
  text: (member) => textsToReview(member).length > 0,
  photo: ({ photos }) => photos.some(({ status }) => status === 'pending'),
};

/** What waits of a member after a write at `now`; what waited before keeps its place in the queue. */
export function waitingOf(member: Member, now: Date): Waiting | undefined {
  if (member.deleted) return undefined;
  const kinds = waitingKinds.filter((kind) => needs[kind](member));
  if (!kinds.length) return undefined;
  const since = Object.fromEntries(kinds.map((kind) => [kind, member.waiting?.[kind] ?? now]));
  return { ...since, ...(Object.keys(member.flags ?? {}).length > 0 && { flagged: true }) };
}
