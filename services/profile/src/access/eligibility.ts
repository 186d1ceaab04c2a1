import type { Site, Sites } from '@covalence/contract/sites';
import type { Member } from '../members/member.ts';
import { gendersOf, isSearchable } from '../members/member-values.ts';
import type { Relation } from '../pairs/relation.ts';

/** What a viewer wants with another member. Blocking someone oneself stops likes, not looking (spec 7, 80005 without *). */
export type Purpose = 'profile' | 'search' | 'like';

/** A viewer and the member they want something with; undefined is a member that does not exist. */
export interface Encounter {
  readonly viewer: Member;
  readonly other: Member | undefined;
  readonly relation: Relation;
  readonly sites: Sites;
  readonly purpose: Purpose;
}

/** An encounter whose other member exists. */
interface Meeting extends Encounter {
  readonly other: Member;
}

/** Each likes the gender of the other (D22: gender rules both ways). */
function gendersMatch(one: Member, other: Member): boolean {
  const [first, second] = [gendersOf(one), gendersOf(other)];
  return first.preference === second.gender && second.preference === first.gender;
}

/** Whether two sites are of one equivalence group (spec 2.3, from_world_plus). */
export function sameGroup(one: Site | undefined, other: Site | undefined): boolean {
  return one !== undefined && one.group === other?.group;
}

/** One group, or both sites in World Plus and the other member opted in (D22). */
function sitesMeet({ viewer, other, sites }: Meeting): boolean {
  const [own, theirs] = [sites.get(viewer.siteid), sites.get(other.siteid)];
  if (sameGroup(own, theirs)) return true;
  const offered = own?.world_plus === true && theirs?.world_plus === true;
  return offered && other.fields['world_plus'] === 'opted_in';
}

type Rule = readonly [code: number, refuses: (meeting: Meeting) => boolean];

/** The rules of spec 7 in the order of its table, then those of GET /users/*. */
const rules: readonly Rule[] = [
  [80001, ({ viewer, other }) => viewer._id === other._id],
  [80002, ({ viewer, other }) => !gendersMatch(viewer, other)],
  [80003, ({ other }) => other.deleted],
  [80004, ({ relation }) => relation.blocked === 'you' || relation.blocked === 'both'],
  [80005, ({ relation, purpose }) => purpose === 'like' && relation.blocked === 'them'],
  [80007, (meeting) => !sitesMeet(meeting)],
  [80014, ({ other }) => other.suspended],
  [80061, ({ other }) => !isSearchable(other)],
  [80062, ({ other }) => other.userstatus === 'new'],
  [80063, ({ other }) => other.userstatus === 'rejected'],
  // Deactivated; the spec keeps such reasons to itself.
  [80064, ({ other }) => other.deactivated],
];

/**
 * Whether a viewer may see or like a member: undefined, or the 80xxx code that fits. The one function behind search
 * results, profile access and likes, so that nobody is shown who cannot be liked (D22, D50).
 */
export function refusalOf(encounter: Encounter): number | undefined {
  const { other } = encounter;
  if (!other) return 80013;
  return rules.find(([, refuses]) => refuses({ ...encounter, other }))?.[0];
}
