import type { Count } from '../transparency-store.ts';

/** The category that has all of a measure. */
export const total = 'total';

/** The category of what is not told apart, because it would tell something of single members. */
const withheld = 'withheld';

/** Fewest cases of a measure on one site in one month that are told apart, and fewest of which there is a median. */
const fewest = 5;

const keyOf = ({ siteid, measure, category }: Count) => `${siteid} ${measure} ${category}`;

const merged = (one: Count['hours'] = {}, other: Count['hours'] = {}): Record<string, number> => {
  const sum = { ...one };
  for (const [hours, cases] of Object.entries(other)) sum[hours] = (sum[hours] ?? 0) + cases;
  return sum;
};

/** Adds counts of the same measure, category and site. */
export function summed(counts: readonly Count[]): Count[] {
  const byKey = new Map<string, Count>();
  for (const each of counts) {
    const before = byKey.get(keyOf(each));
    const hours = merged(before?.hours, each.hours);
    byKey.set(keyOf(each), {
      ...each,
      count: (before?.count ?? 0) + each.count,
      ...(Object.keys(hours).length && { hours }),
    });
  }
  return [...byKey.values()];
}

/** One case, in its category and in the total. */
export function oneCase(siteid: number, measure: string, category: string, hours?: number): Count[] {
  const once = { siteid, measure, count: 1, ...(hours !== undefined && { hours: { [hours]: 1 } }) };
  return [total, category].map((each) => ({ ...once, category: each }));
}

const withoutHours = ({ hours: _hours, ...rest }: Count): Count => rest;

/**
 * Counts as they are kept for good: a month with few cases on a site keeps how many there were, not of which categories; a
 * median of few would tell how long one took. It is decided for each month and site, so that no difference of two reports tells it.
 */
export function withoutSmall(counts: readonly Count[]): Count[] {
  const totals = new Map(
    counts.flatMap((each) =>
      each.category === total ? [[`${each.siteid} ${each.measure}`, each.count] as const] : [],
    ),
  );
  const kept = counts.map((each) => {
    const isSmall = (totals.get(`${each.siteid} ${each.measure}`) ?? 0) < fewest;
    const category = isSmall && each.category !== total ? withheld : each.category;
    return { ...(each.count < fewest || isSmall ? withoutHours(each) : each), category };
  });
  return summed(kept);
}

/** The median of whole hours, by how many took that many; undefined without any. */
export function medianOf(hours: Count['hours'] = {}): number | undefined {
  const sorted = Object.entries(hours)
    .map(([each, cases]) => ({ hours: Number(each), cases }))
    .sort((one, other) => one.hours - other.hours);
  const all = sorted.reduce((sum, { cases }) => sum + cases, 0);
  if (all === 0) return undefined;
  const at = (rank: number): number => {
    let seen = 0;
    for (const each of sorted) {
      seen += each.cases;
      if (seen > rank) return each.hours;
    }
    return 0;
  };
  return (at(Math.floor((all - 1) / 2)) + at(Math.floor(all / 2))) / 2;
}
