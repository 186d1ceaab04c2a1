import type { Random } from '../random.ts';
import { africanAmerican, american, arab, eastAsian, hispanic, indian } from './american.ts';
import type { Gender } from '@covalence/contract/record';
import type { FirstNames } from './cohorts.ts';
import { british, french, german, greek, spanish, turkish } from './european.ts';

const traditions = {
  american,
  african_american: africanAmerican,
  hispanic,
  east_asian: eastAsian,
  indian,
  arab,
  british,
  german,
  spanish,
  french,
  greek,
  turkish,
} satisfies Record<string, FirstNames>;

/** A people's way of naming its children. */
export type NameTradition = keyof typeof traditions;

const lists = new Map<string, readonly string[]>();

const split = (names: string): readonly string[] => {
  const known = lists.get(names) ?? names.split(/\s+/);
  lists.set(names, known);
  return known;
};

/** A first name that a person of this gender and year of birth is likely to have. */
export function firstName(random: Random, tradition: NameTradition, gender: Gender, year: number): string {
  const cohorts: FirstNames = traditions[tradition];
  const cohort = cohorts.find(({ until }) => year <= until) ?? cohorts.at(-1);
  if (!cohort) throw new Error(`no names for ${tradition}`);
  return random.pick(split(cohort[gender]));
}
