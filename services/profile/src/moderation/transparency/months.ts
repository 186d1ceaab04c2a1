/** A month of a report, e.g. `2026-11`. */
export const monthPattern = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** The month of a time, in UTC. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** When a month begins. */
export const beginOf = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`);

/** The month after a month. */
export function nextMonth(month: string): string {
  const begin = beginOf(month);
  return monthOf(new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1)));
}

/** The months of a period, both ends included, up to a limit. */
export function monthsBetween(from: string, to: string, limit: number): string[] {
  const months: string[] = [];
  for (let month = from; month <= to && months.length < limit; month = nextMonth(month)) months.push(month);
  return months;
}
