import type { Sites } from '@covalence/contract/sites';
import { generatePopulation } from '../population/population.ts';
import type { Preferences } from '../population/traits/preferences.ts';
import { gradeOf } from './grade.ts';
import { gradesFor, seededMember, type Seeded } from './seeded-member.ts';
import { textJudgments } from './text-judgments.ts';

/** The population that is judged: the same people every time, so that figures of different days compare. */
const population = { seed: 1, now: new Date('2026-01-15T12:00:00Z') };

/** Searches of the set for all that somebody wishes. */
const wishing = 60;

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

function judgedSearch(searcher: Seeded, all: readonly Seeded[]) {
  const { preferences, username } = searcher.member;
  const grades = gradesFor(searcher, all, (other) =>
    gradeOf(preferences, searcher.member, other, population.now),
  );
  if (!grades) return [];
  return [{ name: username, member: searcher.projection.id, criteria: criteriaOf(preferences), grades }];
}

/**
 * The judgment set that ships with the project: seeded members, searches as they would ask for whom they look for, and
 * grades by what they really want: which of it is a must, and how much each wish matters to them; and searches by words.
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
