/** Whole years between a YYYY-MM-DD date and a moment, by the UTC calendar. */
export function ageOn(dateOfBirth: string, now: Date): number {
  const today = now.toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
