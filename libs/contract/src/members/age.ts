import { utcDay } from '../time.ts';

/** Age in whole years at a time, by the UTC calendar. `dateOfBirth` is YYYY-MM-DD. */
export function ageOn(dateOfBirth: string, now: Date): number {
  const today = utcDay(now);
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
