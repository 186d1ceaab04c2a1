import type { Logger } from '@covalence/runtime/logger';
import type { Member } from './document/member.ts';

/** What `make` makes of each member. Whom it fails for is logged and told by number, and the others do not wait for them. */
export function madeOfEach<Made>(
  members: readonly Member[],
  make: (member: Member) => Made,
  logger: Logger,
): { made: Made[]; broken: number[] } {
  const made: Made[] = [];
  const broken: number[] = [];
  for (const member of members) {
    try {
      made.push(make(member));
    } catch (error) {
      broken.push(member._id);
      logger.error({ err: error, member: member._id }, 'a member is left out');
    }
  }
  return { made, broken };
}
