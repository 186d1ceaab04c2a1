import type { Sites } from '@covalence/contract/sites';
import { generatePopulation } from '../population/population.ts';
import type { Preferences } from '../population/traits/preferences.ts';
import { gradeOf } from './grade.ts';
import { gradesFor, seededMember, type Seeded } from './seeded-member.ts';
import { textJudgments } from './text-judgments.ts';

/** A fixed population, so that results can be compared over time. */
const population = { seed: 1, now: new Date('2026-01-15T12:00:00Z') };

/** The number of searches for all wishes of a member. */
const wishing = 60;

/** The search for all wishes of a member. Criteria have no importance. */
export const criteriaOf = ({ age, within, musts, wishes }: Preferences) => ({
  age,
  location: { within },
  ...Object.fromEntries(
    Object.entries({ ...wishes, ...musts }).map(([field, wish]) => [
      field,
      'values' in wish ? { values: wish.values } : { from: wish.from, to: wish.to },
    ]),
  ),
});

function judgedSearch(searcher: Seeded, all: readonly Seeded[]) {
  const { preferences, username } = searcher.member;
  const grades = gradesFor(searcher, all, (other) =>
    gradeOf(preferences, searcher.member, other, population.now),
  );
  if (!grades) return [];
  return [{ name: username, member: searcher.projection.id, criteria: criteriaOf(preferences), grades }];
}

/**
 * The built-in judgment set: seeded members, searches for their wishes with grades by the importance of each wish, and
 * searches by words.
 */
export function seededJudgments(count: number, sites: Sites) {
  const all = [...generatePopulation({ count, ...population })].flatMap((member, index) => {
    const site = sites.get(member.siteid);
    return site ? [seededMember(member, index + 1, site)] : [];
  });
  const searches: ReturnType<typeof judgedSearch> = [];
  for (const searcher of all) {
    if (searches.length === wishing) break;
    if (searcher.projection.visible) searches.push(...judgedSearch(searcher, all));
  }
  return {
    now: population.now.toISOString(),
    members: all.map(({ projection }) => projection),
    searches: [...searches, ...textJudgments(all, population.now)],
  };
}
