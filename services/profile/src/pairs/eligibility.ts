import { failCodes } from '@covalence/contract/failure-codes';
import type { Sites } from '@covalence/contract/sites';
import type { PairsContext } from './pairs.ts';
import type { Member } from '../members/document/member.ts';
import { gendersOf, isPlatinum, isSearchable } from '../members/document/member-values.ts';
import { sameGroup } from '../members/members.ts';
import type { Relation } from '../record/fields/relation.ts';

/**
 * Why a viewer meets another member: to open the profile, find, like or message them, or to see the record beside
 * existing messages (`thread`).
 */
export type Purpose = 'profile' | 'search' | 'like' | 'message' | 'thread';

/** A viewer and another member. Undefined is a member that does not exist; `staff` is a staff account. */
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

/** Each looks for the gender of the other. */
function gendersMatch(one: Member, other: Member): boolean {
  const [first, second] = [gendersOf(one), gendersOf(other)];
  return first.preference === second.gender && second.preference === first.gender;
}

/** The sites are of one group, or both take part in World Plus and the other member opted in. */
function sitesMeet({ viewer, other, sites }: Meeting): boolean {
  const [own, theirs] = [sites.get(viewer.siteid), sites.get(other.siteid)];
  if (sameGroup(own, theirs)) return true;
  const offered = own?.world_plus === true && theirs?.world_plus === true;
  return offered && other.fields['world_plus'] === 'opted_in';
}

/** A connection, or a member who wrote first, can be messaged while hidden or not approved. */
const isKnown = ({ relation }: Meeting) => relation.covalence === 'mutual' || relation.messagedByThem;

/** Hidden, not approved or rejected. */
const isNotShown = ({ other }: Meeting) => !isSearchable(other) || other.userstatus !== 'approved';

/** A member without platinum writes only to connections and in existing threads. */
const mayNotWrite = (meeting: Meeting) =>
  !isPlatinum(meeting.viewer, meeting.now) && !isKnown(meeting) && !meeting.relation.messagedByMe;

type Rule = readonly [code: number, refuses: (meeting: Meeting) => boolean, purposes?: readonly Purpose[]];

const looking = ['profile', 'search', 'like'] as const;
const writing = ['message', 'thread'] as const;

/**
 * The rules in the order of their codes; a rule without purposes holds for all of them. A viewer's own block refuses
 * likes and messages, not views. A sender learns of a deactivated receiver that they are deleted.
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
  // A status that this version does not know, as during a rollout, is refused.
  [failCodes.accessUnknown, ({ other }) => other.userstatus !== 'approved', looking],
];

/**
 * The 80xxx code that refuses an encounter, or undefined where it is allowed. Search results, profiles, likes and
 * messages all use it, so that every member who is shown can be liked.
 */
export function refusalOf(encounter: Encounter): number | undefined {
  const { viewer, other, purpose } = encounter;
  if (!viewer) return failCodes.senderNotFound;
  if (!other) return failCodes.receiverNotFound;
  if (other === 'staff') return failCodes.receiverIsAdmin;
  const meeting = { ...encounter, viewer, other };
  return rules.find(([, refuses, of]) => (!of || of.includes(purpose)) && refuses(meeting))?.[0];
}

/** The codes that `refusalOf` returns for a purpose where the viewer exists, and further ones, ascending. */
export function refusalCodes(purpose: Purpose, ...further: readonly number[]): number[] {
  const codes = rules.filter(([, , of]) => !of || of.includes(purpose)).map(([code]) => code);
  const all = new Set([...codes, failCodes.receiverNotFound, ...further]);
  // A viewer's own profile is always open.
  if (purpose === 'profile') all.delete(failCodes.receiverIsSender);
  return [...all].sort((one, other) => one - other);
}

/** `refusalOf` at the current time. */
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
