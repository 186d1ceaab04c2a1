import { deletionDays } from '@covalence/contract/peers/privacy-api';
import { z } from 'zod';
import type { UserStatus } from '@covalence/contract/record';
import { dayMs } from '@covalence/contract/time';
import { isWithheld, waitingAnswers, without } from './member-values.ts';
import { isUnreviewed } from './photos.ts';
import { matchedBy } from './suspicion.ts';
import type { StaffAction, Member, Waiting } from './member.ts';

/** The stored status of an account: the userstatus, and two states beside it. */
export interface AccountStatus {
  readonly userstatus: UserStatus;
  readonly suspended: boolean;
  readonly deleted: boolean;
}

/** An action that changes the status: one of Customer Service, or an edit by the member. */
export type StatusAction = StaffAction | 'edit';

/** The userstatus after an action, by the one before; absent means unchanged. */
const statuses: Readonly<Record<UserStatus, Partial<Readonly<Record<StatusAction, UserStatus>>>>> = {
  new: { approve: 'approved', reject: 'rejected' },
  approved: { reject: 'rejected' },
  rejected: { approve: 'approved', edit: 'new' },
};

/** The states beside the userstatus that an action sets. */
const marks: Partial<Record<StatusAction, Partial<AccountStatus>>> = {
  suspend: { suspended: true },
  unsuspend: { suspended: false },
  delete: { deleted: true },
  undelete: { deleted: false },
};

/** The status after an action; the same object where nothing changes. Of deleted members only the deletion can end; suspended members can be reviewed. */
export function statusAfter(before: AccountStatus, action: StatusAction): AccountStatus {
  const { userstatus, suspended, deleted } = before;
  if (deleted !== (action === 'undelete')) return before;
  const status = statuses[userstatus][action] ?? userstatus;
  const after: AccountStatus = { userstatus: status, suspended, deleted, ...marks[action] };
  const same = status === userstatus && after.suspended === suspended && after.deleted === deleted;
  return same ? before : after;
}

/** When a member who is deleted now is erased. */
export function erasureAfter(now: Date): Date {
  return new Date(now.getTime() + deletionDays * dayMs);
}

/** The kinds of review that members wait for. */
export const waitingKinds = ['profile', 'text', 'photo'] as const;

/** One of the kinds of review. */
export type WaitingKind = (typeof waitingKinds)[number];

const time = z.iso.datetime().optional();

/** Since when each kind of review waits. */
export const waitingSchema = z.strictObject({ profile: time, text: time, photo: time });

/** Since when each kind of review waits. */
export function waitingSince({ waiting }: Member): z.infer<typeof waitingSchema> {
  const since = waitingKinds.map((kind) => [kind, waiting?.[kind]?.toISOString()] as const);
  return Object.fromEntries(since.filter(([, at]) => at !== undefined));
}

/** The fields whose texts need a review: those that wait, and current ones with contact data. */
export function textsToReview(member: Member): string[] {
  const { pending, flags = {}, userstatus } = member;
  const waiting = Object.keys(pending);
  // The texts of a new member are reviewed with the profile.
  const written = userstatus === 'new' ? [] : [...waitingAnswers(member), ...Object.keys(flags)];
  return [...new Set([...waiting, ...written])];
}

const needs: Record<WaitingKind, (member: Member) => boolean> = {
  profile: (member) =>
    member.userstatus === 'new' ||
    isWithheld(member) ||
    member.scam_signals_at !== undefined ||
    // Nobody sees a rejected profile.
    (member.userstatus === 'approved' && member.strikes_at !== undefined),
  text: (member) => textsToReview(member).length > 0,
  photo: ({ photos }) => photos.some(isUnreviewed),
};

/** Why staff look at a member or photo first: contact data in a text, by field, matches of the ban list, signals of a scam, and points. */
export function flagsOf({
  flags = {},
  scam_signals_at,
  strikes_at,
  photos,
  ...matched
}: Member): Record<string, string[]> {
  const isSuspected = photos.some((photo) => photo.suspected && isUnreviewed(photo));
  return {
    ...flags,
    ...Object.fromEntries(matchedBy(matched).map((kind) => [kind, ['banned']])),
    ...(isSuspected && { photo: ['banned'] }),
    ...(scam_signals_at && { messages: ['scam'] }),
    ...(strikes_at && { strikes: ['proposal'] }),
  };
}

const suspicion = [
  'suspected',
  'ban_matches',
  'matched_by',
  'cleared_bans',
  'scam_signals_at',
  'strikes_at',
] as const;

/** The member without what staff are to look at, of which the member must not know: matches of the ban list, signals of a scam, points. */
export function withoutSuspicion(member: Member): Member {
  const photos = member.photos.map((photo) => without(photo, suspicion));
  const known = { ...without(member, suspicion), photos };
  const waiting = waitingOf(known, member.joined);
  return { ...without(known, ['waiting']), ...(waiting && { waiting }) };
}

/** Kinds of review that wait after a write at `now`. A kind that waited before keeps its time. */
export function waitingOf(member: Member, now: Date): Waiting | undefined {
  if (member.deleted) return undefined;
  const kinds = waitingKinds.filter((kind) => needs[kind](member));
  if (!kinds.length) return undefined;
  const since = Object.fromEntries(kinds.map((kind) => [kind, member.waiting?.[kind] ?? now]));
  return { ...since, ...(Object.keys(flagsOf(member)).length > 0 && { flagged: true }) };
}
