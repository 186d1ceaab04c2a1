import type { Count } from '../store/transparency-store.ts';

/** The category that has all of a measure. */
export const total = 'total';

/** The category of what is not told apart, because it would tell something of single members. */
const withheld = 'withheld';

/** Fewest cases of a category on one site in one month that are counted apart, and fewest of which there is a median. */
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

/** The categories of one measure and site that are not told apart: the small ones, and as many others as it takes to hide them. */
function smallOf(counts: readonly Count[]): ReadonlySet<Count> {
  const byCount = counts
    .filter(({ category }) => category !== total)
    .toSorted((one, other) => one.count - other.count || (one.category < other.category ? -1 : 1));
  const small = byCount.filter(({ count }) => count < fewest);
  let hidden = small.reduce((sum, { count }) => sum + count, 0);
  // The total less the others would tell a single small one.
  for (const next of byCount.slice(small.length)) {
    if (hidden === 0 || hidden >= fewest) break;
    small.push(next);
    hidden += next.count;
  }
  return new Set(small);
}

/**
 * Counts as they are kept for good. Of categories with few cases there is only how many they have in all, and no median: it
 * would tell how long a single one took. It is decided for each month and site, so that no difference of two reports tells it.
 */
export function withoutSmall(counts: readonly Count[]): Count[] {
  const groups = Map.groupBy(counts, ({ siteid, measure }) => `${siteid} ${measure}`);
  const kept = [...groups.values()].flatMap((group) => {
    const small = smallOf(group);
    return group.map((each) =>
      small.has(each)
        ? { ...withoutHours(each), category: withheld }
        : each.count < fewest
          ? withoutHours(each)
          : each,
    );
  });
  return summed(kept);
}

/** The median of whole hours, by how many took that many; undefined where it is not known of all cases. */
export function medianOf({ count, hours = {} }: Pick<Count, 'count' | 'hours'>): number | undefined {
  const sorted = Object.entries(hours)
    .map(([each, cases]) => ({ hours: Number(each), cases }))
    .sort((one, other) => one.hours - other.hours);
  const all = sorted.reduce((sum, { cases }) => sum + cases, 0);
  if (all === 0 || all < count) return undefined;
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
