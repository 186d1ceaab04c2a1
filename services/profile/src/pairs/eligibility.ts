import { failCodes } from '@covalence/contract/failure-codes';
import type { Sites } from '@covalence/contract/sites';
import type { PairsContext } from './pairs.ts';
import type { Member } from '../members/document/member.ts';
import { gendersOf, isPlatinum, isSearchable } from '../members/document/member-values.ts';
import { sameGroup } from '../members/members.ts';
import type { Relation } from '../record/fields/relation.ts';

/**
 * What a viewer wants with another member: open the profile, find, like, write to, or see the other's record beside the
 * messages that there are (`thread`).
 */
export type Purpose = 'profile' | 'search' | 'like' | 'message' | 'thread';

/** A viewer and the member they want something with; undefined is a member that does not exist, `staff` no member at all. */
export interface Encounter {
  readonly viewer: Member | undefined;
  readonly other: Member | 'staff' | undefined;
  readonly relation: Relation;
  readonly sites: Sites;
  readonly now: Date;
  readonly purpose: Purpose;
}

/** An encounter whose members exist. */
interface Meeting extends Encounter {
  readonly viewer: Member;
  readonly other: Member;
}

/** Each likes the gender of the other: gender rules both ways. */
function gendersMatch(one: Member, other: Member): boolean {
  const [first, second] = [gendersOf(one), gendersOf(other)];
  return first.preference === second.gender && second.preference === first.gender;
}

/** One group, or both sites in World Plus and the other member opted in. */
function sitesMeet({ viewer, other, sites }: Meeting): boolean {
  const [own, theirs] = [sites.get(viewer.siteid), sites.get(other.siteid)];
  if (sameGroup(own, theirs)) return true;
  const offered = own?.world_plus === true && theirs?.world_plus === true;
  return offered && other.fields['world_plus'] === 'opted_in';
}

/** A connection, or the other wrote first: reasons to reach a member who hides or waits for approval (80006). */
const isKnown = ({ relation }: Meeting) => relation.covalence === 'mutual' || relation.messagedByThem;

/** Hidden, not approved or rejected. */
const isNotShown = ({ other }: Meeting) => !isSearchable(other) || other.userstatus !== 'approved';

/** Sending needs platinum; a connection or an existing thread is enough. */
const mayNotWrite = (meeting: Meeting) =>
  !isPlatinum(meeting.viewer, meeting.now) && !isKnown(meeting) && !meeting.relation.messagedByMe;

type Rule = readonly [code: number, refuses: (meeting: Meeting) => boolean, purposes?: readonly Purpose[]];

const looking = ['profile', 'search', 'like'] as const;
const writing = ['message', 'thread'] as const;

/**
 * The rules of member actions in the order of their codes, then those of GET /users/*; without purposes for all of them. Blocking
 * someone oneself stops likes and messages, not looking (80005 without *). Deactivated: the spec has no code for it; a
 * sender is told that the receiver is deleted.
 */
const rules: readonly Rule[] = [
  [failCodes.receiverIsSender, ({ viewer, other }) => viewer._id === other._id],
  [failCodes.genderPreferenceMismatch, ({ viewer, other }) => !gendersMatch(viewer, other)],
  [failCodes.receiverDeleted, ({ other }) => other.deleted],
  [failCodes.receiverDeleted, ({ other }) => other.deactivated, writing],
  [failCodes.senderBlocked, ({ relation }) => relation.blocked === 'you' || relation.blocked === 'both'],
  [failCodes.receiverBlocked, ({ relation }) => relation.blocked === 'them', ['like', 'message']],
  [failCodes.receiverUnavailable, (meeting) => isNotShown(meeting) && !isKnown(meeting), writing],
  [failCodes.receiverOutsideGroup, (meeting) => !sitesMeet(meeting)],
  [failCodes.senderNotPlatinum, mayNotWrite, ['message']],
  [failCodes.receiverSuspended, ({ other }) => other.suspended],
  [failCodes.receiverHidden, ({ other }) => !isSearchable(other), looking],
  [failCodes.receiverNew, ({ other }) => other.userstatus === 'new', looking],
  [failCodes.receiverRejected, ({ other }) => other.userstatus === 'rejected', looking],
  [failCodes.receiverInaccessible, ({ other }) => other.deactivated, looking],
  // A state that this version does not know, e.g. one of a newer version during a rollout: shut rather than open.
  [failCodes.accessUnknown, ({ other }) => other.userstatus !== 'approved', looking],
];

/**
 * Whether a viewer may see, like or write to a member: undefined, or the 80xxx code that fits. The one function behind
 * search results, profile access, likes and messages, so that nobody is shown who cannot be liked.
 */
export function refusalOf(encounter: Encounter): number | undefined {
  const { viewer, other, purpose } = encounter;
  if (!viewer) return failCodes.senderNotFound;
  if (!other) return failCodes.receiverNotFound;
  if (other === 'staff') return failCodes.receiverIsAdmin;
  const meeting = { ...encounter, viewer, other };
  return rules.find(([, refuses, of]) => (!of || of.includes(purpose)) && refuses(meeting))?.[0];
}

/** The same at this moment. */
export function refusalNow(
  { sites, clock }: Pick<PairsContext, 'sites' | 'clock'>,
  encounter: Omit<Encounter, 'sites' | 'now'>,
): number | undefined {
  return refusalOf({ ...encounter, sites, now: clock() });
}

/** Whether the viewer may start a thread with the other member, whatever messages there are. */
export function canStartThread({ relation, ...encounter }: Omit<Encounter, 'purpose'>): boolean {
  const withoutThread = { ...relation, messagedByMe: false, messagedByThem: false };
  return refusalOf({ ...encounter, relation: withoutThread, purpose: 'message' }) === undefined;
}
