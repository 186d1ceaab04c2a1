import { projectedTraits } from '@covalence/contract/catalogue/criteria';
import { positionGrid, type SearchProjection } from '@covalence/contract/search-projection';
import { parseSites, type Site, type Sites } from '@covalence/contract/sites';
import { readFileSync } from 'node:fs';
import { generatePopulation, type SeedMember } from '../population/population.ts';
import type { Preferences } from '../population/traits/preferences.ts';
import { sitesFileIn } from '../services/service-environment.ts';
import { gradeOf } from './grade.ts';

/** The population that is judged: the same people every time, so that figures of different days compare. */
const population = { seed: 1, now: new Date('2026-01-15T12:00:00Z') };

/** Searches of the set, and the least good members that one must have to be among them. */
const wanted = { searches: 60, good: 5 };

const snapped = (degrees: unknown): number =>
  Number((Math.round(Number(degrees) / positionGrid) * positionGrid).toFixed(2));

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

/** A seeded member as the search index would know them. */
function projectionOf(member: SeedMember, id: number, site: Site): SearchProjection {
  const { fields, platinum_until } = member;
  return {
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
    position: { lat: snapped(fields['latitude']), lon: snapped(fields['longitude']) },
    country: textOrNull(fields['country']),
    state: textOrNull(fields['state']),
    zip: textOrNull(fields['zip']),
    photo: member.portrait !== undefined,
    joined: member.joined,
    last_seen: member.last_seen,
    offline: !member.online,
    platinum_until: platinum_until ?? null,
    traits: traitsOf(member),
  };
}

/** What somebody would ask for: every wish alike, because the form of a search knows no importance. */
const criteriaOf = ({ age, within, musts, wishes }: Preferences) => ({
  age,
  location: { within },
  ...Object.fromEntries(
    Object.entries({ ...wishes, ...musts }).map(([field, wish]) => [
      field,
      'values' in wish ? { values: wish.values } : { from: wish.from, to: wish.to },
    ]),
  ),
});

interface Seeded {
  readonly member: SeedMember;
  readonly projection: SearchProjection;
}

/** Whether a search of one can find the other at all (D22). */
const canFind = ({ projection: mine }: Seeded, { projection: other }: Seeded): boolean =>
  other.visible &&
  other.id !== mine.id &&
  other.gender === mine.gender_preference &&
  other.gender_preference === mine.gender &&
  (other.group === mine.group || other.world_plus);

function judgedSearch(searcher: Seeded, all: readonly Seeded[]) {
  const { preferences, username } = searcher.member;
  const grades = all
    .filter((other) => canFind(searcher, other))
    .map(({ member, projection }) => {
      const grade = gradeOf(preferences, searcher.member, member, population.now);
      return [projection.id, grade] as const;
    })
    .filter(([, grade]) => grade > 0);
  if (grades.filter(([, grade]) => grade >= 2).length < wanted.good) return [];
  const criteria = criteriaOf(preferences);
  return [{ name: username, member: searcher.projection.id, criteria, grades: Object.fromEntries(grades) }];
}

const sitesIn = (environment: NodeJS.ProcessEnv): Sites =>
  parseSites(JSON.parse(readFileSync(sitesFileIn(environment), 'utf8')));

/**
 * The judgment set that ships with the project: seeded members, searches as they would ask for whom they look for, and
 * grades by what they really want: which of it is a must, and how much each wish matters to them.
 */
export function seededJudgments(count: number, environment: NodeJS.ProcessEnv) {
  const sites = sitesIn(environment);
  const all = [...generatePopulation({ count, ...population })].flatMap((member, index) => {
    const site = sites.get(member.siteid);
    return site ? [{ member, projection: projectionOf(member, index + 1, site) }] : [];
  });
  const searches: ReturnType<typeof judgedSearch> = [];
  for (const searcher of all) {
    if (searches.length === wanted.searches) break;
    if (searcher.projection.visible) searches.push(...judgedSearch(searcher, all));
  }
  return {
    now: population.now.toISOString(),
    members: all.map(({ projection }) => projection),
    searches,
  };
}
