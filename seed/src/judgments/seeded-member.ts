import { projectedTraits } from '@covalence/contract/catalogue/criteria';
import { neutralAnswerRate, type SearchProjection } from '@covalence/contract/search-projection';
import type { Site } from '@covalence/contract/sites';
import type { SeedMember } from '../population/population.ts';
import { positionOf } from './grade.ts';

/** A seeded member with the search projection. */
export interface Seeded {
  readonly member: SeedMember;
  readonly site: Site;
  readonly projection: SearchProjection;
}

const genderOf = (value: unknown) => (value === 'Male' ? 'Male' : 'Female');

const traitsOf = ({ fields }: SeedMember): SearchProjection['traits'] =>
  Object.fromEntries(
    projectedTraits.flatMap((name) => {
      const value = fields[name];
      if (value === undefined) return [];
      return [[name, typeof value === 'object' ? [...value] : value]];
    }),
  );

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);

/** Creates the projection of a member. */
export function seededMember(member: SeedMember, id: number, site: Site): Seeded {
  const { fields, platinum_until } = member;
  const projection = {
    id,
    version: 1,
    visible: member.userstatus === 'approved' && member.searchable,
    deleted: false,
    siteid: site.siteid,
    group: site.group,
    world_plus: site.world_plus && member.world_plus === 'opted_in',
    gender: genderOf(fields['gender']),
    gender_preference: genderOf(fields['gender_preference']),
    date_of_birth: String(fields['date_of_birth']),
    position: positionOf(member),
    country: textOrNull(fields['country']),
    state: textOrNull(fields['state']),
    zip: textOrNull(fields['zip']),
    photo: member.portrait !== undefined,
    joined: member.joined,
    last_seen: member.last_seen,
    offline: !member.online,
    platinum_until: platinum_until ?? null,
    answer_rate: neutralAnswerRate,
    traits: traitsOf(member),
  } as const;
  return { member, site, projection };
}

/** Whether a search of the first member can find the other. */
const canFind = ({ projection: mine, site }: Seeded, { projection: other }: Seeded): boolean =>
  other.visible &&
  other.id !== mine.id &&
  other.gender === mine.gender_preference &&
  other.gender_preference === mine.gender &&
  (other.group === mine.group || (site.world_plus && other.world_plus));

/** The least number of good members of a judged search. */
const leastGood = 5;

/** Grades above 0 by id of the members that a searcher can find; undefined when too few are good. */
export function gradesFor(
  searcher: Seeded,
  all: readonly Seeded[],
  gradeOf: (other: SeedMember) => number,
): Record<string, number> | undefined {
  const grades = all
    .filter((other) => canFind(searcher, other))
    .map(({ member, projection }) => [projection.id, gradeOf(member)] as const)
    .filter(([, grade]) => grade > 0);
  const good = grades.filter(([, grade]) => grade >= 2);
  return good.length < leastGood ? undefined : Object.fromEntries(grades);
}
