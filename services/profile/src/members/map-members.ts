import type { Logger } from '@covalence/runtime/logger';
import type { Member } from './document/member.ts';

/** Maps members. A member for whom `map` throws is logged and listed in `broken`; the others are mapped all the same. */
export function mapMembers<Result>(
  members: readonly Member[],
  map: (member: Member) => Result,
  logger: Logger,
): { results: Result[]; broken: number[] } {
  const results: Result[] = [];
  const broken: number[] = [];
  for (const member of members) {
    try {
      results.push(map(member));
    } catch (error) {
      broken.push(member._id);
      logger.error({ err: error, member: member._id }, 'a member is left out');
    }
  }
  return { results, broken };
}
