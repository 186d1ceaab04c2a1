import { ageOn } from '@covalence/contract/age';
import { milesBetween, type Position } from '@covalence/contract/position';
import type { SeedMember } from '../population/population.ts';
import type { Preferences, Wish } from '../population/traits/preferences.ts';

/** The position of a member. */
export const positionOf = ({ fields }: SeedMember): Position => ({
  lat: Number(fields['latitude']),
  lon: Number(fields['longitude']),
});

/** The age of a member. */
export const ageOf = ({ fields }: SeedMember, now: Date): number =>
  ageOn(String(fields['date_of_birth']), now);

/** Whether a field meets a wish; an unanswered one does not. */
function isAsWished({ fields }: SeedMember, field: string, wish: Wish): boolean {
  const values = [fields[field] ?? []].flat().map(Number);
  return 'values' in wish
    ? values.some((value) => wish.values.includes(value))
    : values.some((value) => value >= wish.from && value <= wish.to);
}

/** Grades by the least share of met wishes, weighted by importance. */
const steps = [
  [0.8, 3],
  [0.55, 2],
  [0, 1],
] as const;

/** Grades a match from 0 to 3: 0 outside of ages, distance or musts, else by the share of met wishes. */
export function gradeOf(
  { age, within, musts, wishes }: Preferences,
  searcher: SeedMember,
  other: SeedMember,
  now: Date,
): number {
  const years = ageOf(other, now);
  if (years < age.from || years > age.to) return 0;
  if (within !== -1 && milesBetween(positionOf(searcher), positionOf(other)) > within) return 0;
  if (!Object.entries(musts).every(([field, wish]) => isAsWished(other, field, wish))) return 0;
  const all = Object.entries(wishes);
  const sum = (some: typeof all) => some.reduce((total, [, { importance }]) => total + importance, 0);
  const share = all.length
    ? sum(all.filter(([field, wish]) => isAsWished(other, field, wish))) / sum(all)
    : 1;
  return steps.find(([from]) => share >= from)?.[1] ?? 0;
}
