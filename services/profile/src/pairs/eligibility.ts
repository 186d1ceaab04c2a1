import { failCodes } from '@covalence/contract/failure-codes';
import type { Sites } from '@covalence/contract/sites';
import { invalidArgument } from '@covalence/contract/failure';
import { chunks } from '@covalence/runtime/chunks';
import type { PairsContext } from './pairs.ts';
import type { Member } from '../members/document/member.ts';
import {
  gendersOf,
  isDeleted,
  isPlatinum,
  isSearchable,
  isWithheld,
} from '../members/document/member-values.ts';
import { sameGroup } from '../members/members.ts';
import type { Relation } from '../record/fields/relation.ts';

/** Why a viewer meets another member; `thread` shows the record beside existing messages. */
export type Purpose = 'profile' | 'search' | 'like' | 'message' | 'thread';

/** A viewer and another member. Undefined is a member that does not exist; `staff` is a staff account. */
interface Encounter {
  readonly viewer: Member | undefined;
  readonly other: Member | 'staff' | undefined;
  readonly relation: Relation;
  readonly purpose: Purpose;
}

/** An encounter of two members who exist. */
interface Meeting extends Encounter {
  readonly viewer: Member;
  readonly other: Member;
  readonly sites: Sites;
  readonly now: Date;
}

type Surroundings = Pick<PairsContext, 'sites' | 'clock'>;

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

/** A connection, or a member who wrote first, can be messaged while hidden or not approved, but not while withheld. */
const isKnown = ({ other, relation }: Meeting) =>
  !isWithheld(other) && (relation.covalence === 'mutual' || relation.messagedByThem);

/** A withheld member seems to have chosen not to be found. */
const isHidden = ({ other }: Meeting) => !isSearchable(other) || isWithheld(other);

const isNotShown = (meeting: Meeting) => isHidden(meeting) || meeting.other.userstatus !== 'approved';

/** A member without platinum writes only to connections and in existing threads. */
const mayNotWrite = (meeting: Meeting) =>
  !isPlatinum(meeting.viewer, meeting.now) && !isKnown(meeting) && !meeting.relation.messagedByMe;

type Rule = readonly [code: number, refuses: (meeting: Meeting) => boolean, purposes?: readonly Purpose[]];

const looking = ['profile', 'search', 'like'] as const;
const writing = ['message', 'thread'] as const;

/**
 * The rules in the order of their codes; a rule without purposes holds for all of them. A viewer's own block refuses
 * likes and messages, not views. A deactivated receiver comes before the sender's membership, so that every sender gets
 * the code that a view and a like get.
 */
const rules: readonly Rule[] = [
  [failCodes.receiverIsSender, ({ viewer, other }) => viewer._id === other._id],
  [failCodes.genderPreferenceMismatch, ({ viewer, other }) => !gendersMatch(viewer, other)],
  [failCodes.receiverDeleted, ({ other }) => isDeleted(other)],
  [failCodes.senderBlocked, ({ relation }) => relation.blocked === 'you' || relation.blocked === 'both'],
  [failCodes.receiverBlocked, ({ relation }) => relation.blocked === 'them', ['like', 'message']],
  [failCodes.receiverUnavailable, (meeting) => isNotShown(meeting) && !isKnown(meeting), writing],
  [failCodes.receiverOutsideGroup, (meeting) => !sitesMeet(meeting)],
  [failCodes.receiverInaccessible, ({ other }) => other.deactivated, writing],
  [failCodes.senderNotPlatinum, mayNotWrite, ['message']],
  [failCodes.receiverSuspended, ({ other }) => other.suspended],
  [failCodes.receiverHidden, isHidden, looking],
  [failCodes.receiverNew, ({ other }) => other.userstatus === 'new', looking],
  [failCodes.receiverRejected, ({ other }) => other.userstatus === 'rejected', looking],
  [failCodes.receiverInaccessible, ({ other }) => other.deactivated, looking],
  // A status that this version does not know, as during a rollout, is refused.
  [failCodes.accessUnknown, ({ other }) => other.userstatus !== 'approved', looking],
];

/** The 80xxx code that refuses an encounter, or undefined. All features use it: every member who is shown can be liked. */
export function refusalOf({ sites, clock }: Surroundings, encounter: Encounter): number | undefined {
  const { viewer, other, purpose } = encounter;
  if (!viewer) return failCodes.senderNotFound;
  if (!other) return failCodes.receiverNotFound;
  if (other === 'staff') return failCodes.receiverIsAdmin;
  const meeting = { ...encounter, viewer, other, sites, now: clock() };
  return rules.find(([, refuses, of]) => (!of || of.includes(purpose)) && refuses(meeting))?.[0];
}

const batch = 1_000;

/** The viewer, with only what decides, and those of `ids` whose profile they may open. */
export async function openTo(
  context: PairsContext,
  id: number,
  ids: Iterable<number>,
  relationTo: (other: number) => Relation,
): Promise<{ readonly viewer: Member | undefined; readonly open: ReadonlySet<number> }> {
  const open = new Set<number>();
  let viewer: Member | undefined;
  for (const some of chunks(new Set([id, ...ids]), batch)) {
    const found = await context.members.store.eligibilityOf(some);
    viewer ??= found.find(({ _id }) => _id === id);
    if (!viewer) break;
    for (const other of found) {
      const encounter = { viewer, other, relation: relationTo(other._id), purpose: 'profile' as const };
      if (refusalOf(context, encounter) === undefined) open.add(other._id);
    }
  }
  return { viewer, open };
}

/** The codes that `refusalOf` returns for a purpose where the viewer exists, and further ones, ascending. */
export function refusalCodes(purpose: Purpose, ...further: readonly number[]): number[] {
  const codes = rules.filter(([, , of]) => !of || of.includes(purpose)).map(([code]) => code);
  const all = new Set([...codes, failCodes.receiverNotFound, ...further]);
  // A viewer's own profile is always open.
  if (purpose === 'profile') all.delete(failCodes.receiverIsSender);
  return [...all].sort((one, other) => one - other);
}

/** The members of an encounter. Throws the 80xxx code that refuses it now. */
export function checkEncounter(context: Surroundings, encounter: Encounter) {
  const { viewer, other } = encounter;
  const refusal = refusalOf(context, encounter);
  if (refusal !== undefined || !viewer || !other || other === 'staff')
    throw invalidArgument(refusal ?? failCodes.receiverNotFound);
  return { viewer, other };
}

/** Whether the viewer may start a thread with the other member, whatever messages there are. */
export function canStartThread(
  context: Surroundings,
  { relation, ...met }: Omit<Encounter, 'purpose'>,
): boolean {
  const withoutThread = { ...relation, messagedByMe: false, messagedByThem: false };
  return refusalOf(context, { ...met, relation: withoutThread, purpose: 'message' }) === undefined;
}
