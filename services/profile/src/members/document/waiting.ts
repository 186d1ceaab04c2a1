import { waitingAnswers } from './answers.ts';
import type { Member, Waiting } from './member.ts';

/** The kinds of review that members wait for. */
export const waitingKinds = ['profile', 'text', 'photo'] as const;

/** One of the kinds of review. */
export type WaitingKind = (typeof waitingKinds)[number];

/** The fields whose texts need a review: those that wait, and current ones with contact data. */
export function textsToReview(member: Member): string[] {
  const { pending, flags = {}, userstatus } = member;
  const waiting = Object.keys(pending);
  // The texts of a new member are reviewed with the profile.
  const written = userstatus === 'new' ? [] : [...waitingAnswers(member), ...Object.keys(flags)];
  return [...new Set([...waiting, ...written])];
}

const needs: Record<WaitingKind, (member: Member) => boolean> = {
  profile: ({ userstatus }) => userstatus === 'new',
  text: (member) => textsToReview(member).length > 0,
  photo: ({ photos }) => photos.some(({ status }) => status === 'pending'),
};

/** What waits for review after a write at `now`. What waited before keeps its time. */
export function waitingOf(member: Member, now: Date): Waiting | undefined {
  if (member.deleted) return undefined;
  const kinds = waitingKinds.filter((kind) => needs[kind](member));
  if (!kinds.length) return undefined;
  const since = Object.fromEntries(kinds.map((kind) => [kind, member.waiting?.[kind] ?? now]));
  return { ...since, ...(Object.keys(member.flags ?? {}).length > 0 && { flagged: true }) };
}
