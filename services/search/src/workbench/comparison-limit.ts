import { tooManyRequests } from '@covalence/contract/failure';
import type { Clock } from '@covalence/runtime/clock';
import { LRUCache } from 'lru-cache';

const windowMs = 3_600_000;

/** Comparisons of one staff account in an hour, on each process: a slider makes many. */
const mostPerHour = 600;

/** Accounts whose comparisons are counted. */
const mostAccounts = 1_000;

/** Limits how many members' results a staff account reads, and what it costs. */
export type ComparisonLimit = ReturnType<typeof createComparisonLimit>;

/** Creates the limit. */
export function createComparisonLimit(clock: Clock, limit = mostPerHour) {
  const counted = new LRUCache<string, { readonly from: number; count: number }>({ max: mostAccounts });
  return {
    /** Counts a comparison. Throws 429 beyond the limit. */
    use(staff: string): void {
      const now = clock().getTime();
      const known = counted.get(staff);
      const hour = known && now - known.from < windowMs ? known : { from: now, count: 0 };
      if (hour.count >= limit) throw tooManyRequests((hour.from + windowMs - now) / 1_000);
      hour.count += 1;
      counted.set(staff, hour);
    },
  };
}
