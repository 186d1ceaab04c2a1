const isoDate = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** The calendar day `years` years before `now`'s (UTC); February 29 becomes 28 in years that have none. */
export function yearsBefore(now: Date, years: number): string {
  const year = now.getUTCFullYear() - years;
  const month = now.getUTCMonth() + 1;
  const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const day = month === 2 && now.getUTCDate() === 29 && !leap ? 28 : now.getUTCDate();
  return isoDate(year, month, day);
}

/** Dates of birth of the members whose age in whole years is `from` to `to` today: after `gt`, up to `lte`. */
export function birthDates(now: Date, from: number, to: number): { gt: string; lte: string } {
  return { gt: yearsBefore(now, Math.floor(to) + 1), lte: yearsBefore(now, Math.ceil(from)) };
}
