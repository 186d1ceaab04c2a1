import { projectedTraits } from '@covalence/contract/catalogue/criteria';
import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Site } from '@covalence/contract/sites';
import type { SeedMember } from '../population/population.ts';
import { positionOf } from './grade.ts';

/** A seeded member, and as the search index would know them. */
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

/** A seeded member with a number, on their site. */
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
    traits: traitsOf(member),
  } as const;
  return { member, site, projection };
}

/** Whether a search of one can find the other at all. */
const canFind = ({ projection: mine, site }: Seeded, { projection: other }: Seeded): boolean =>
  other.visible &&
  other.id !== mine.id &&
  other.gender === mine.gender_preference &&
  other.gender_preference === mine.gender &&
  (other.group === mine.group || (site.world_plus && other.world_plus));

/** The least good members that a search must have to be judged. */
const leastGood = 5;

/** The grades of all whom a searcher can find, 0 left out, by id; undefined where too few of them are good. */
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
