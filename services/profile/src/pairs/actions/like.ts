import { invalidArgument } from '@covalence/contract/failure';
import { isGiven } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { refusalNow } from '../eligibility.ts';
import { withinDailyLimit } from '../daily-limit.ts';
import { countersSchema, readCounters } from '../read-counters.ts';
import { siteOf, type Context } from '../../context.ts';
import { checkConfirmed } from '../../members/check-confirmed.ts';
import { isPlatinum } from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { findProfile } from '../../members/find-profile.ts';
import type { Sides } from '../pair.ts';
import { relationOf } from '../relation.ts';

/**
 * Runs a like within the day's limit, 50001 beyond it; platinum members have none. A like that came to nothing is given
 * back.
 */
const withinLimit = (context: Context, viewer: Member, like: () => Promise<boolean>): Promise<void> => {
  const now = context.clock();
  const limit = isPlatinum(viewer, now) ? undefined : siteOf(context, viewer.siteid).likes_per_day;
  const refusal = invalidArgument(50001);
  return withinDailyLimit({ quota: context.likeQuotas, member: viewer, now, limit, refusal }, like);
};

/** POST /like: interest in another member; answers the viewer's counters. */
export const like = endpoint({
  access: 'member',
  summary: 'Like a member',
  input: z.object({ profileid: z.unknown().optional() }),
  output: countersSchema,
  codes: [50001, 80001, 80002, 80003, 80004, 80005, 80007, 80013, 80014, 80061, 80062, 80063, 80064, 80065],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    if (!isGiven(input.profileid)) throw invalidArgument();
    const other = await findProfile(context, input.profileid);
    const refuse = (sides?: Sides) => {
      const relation = relationOf(sides);
      const refusal = refusalNow(context, { viewer, other, relation, purpose: 'like' });
      if (refusal !== undefined) throw invalidArgument(refusal);
      return relation;
    };
    const { covalence } = refuse(other && (await context.pairs.read(viewer._id, other._id)));
    const standing = covalence === 'liked' || covalence === 'mutual' || covalence === 'declinedme';
    if (other && !standing) {
      await checkConfirmed(context, viewer);
      await withinLimit(context, viewer, async () => {
        const { changed } = await context.pairs.act(viewer._id, other._id, 'like', refuse);
        return changed;
      });
    }
    return readCounters(context, viewer._id);
  },
});
