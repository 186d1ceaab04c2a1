import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent, profileid } from '@covalence/contract/parameters';
import { z } from 'zod';
import { checkConfirmed, twoMembersEndpoint } from '../members/member-endpoint.ts';
import { isPlatinum } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import { siteOf } from '../members/members.ts';
import { countersOfCaller, countersSchema } from './counters.ts';
import { withinDailyLimit } from './daily-limit.ts';
import { refusalCodes, checkEncounter } from './eligibility.ts';
import { otherMemberEndpoint } from './other-member.ts';
import { type Sides, relationOf } from './pair.ts';
import type { ActOptions } from './pair-store.ts';
import type { PairsContext } from './pairs.ts';

/** Stores a like within the day's limit: 50001 beyond it. */
const likeWithinLimit = (
  context: PairsContext,
  viewer: Member,
  other: Member,
  options: ActOptions,
): Promise<void> => {
  const now = context.clock();
  const limit = isPlatinum(viewer, now) ? undefined : siteOf(context, viewer.siteid).likes_per_day;
  const refusal = invalidArgument(failCodes.dailyLikesExceeded);
  const quota = context.pairs.quotas.likes;
  return withinDailyLimit({ quota, member: viewer, now, limit, refusal }, async () => {
    const { changed } = await context.pairs.store.act(viewer._id, other._id, 'like', options);
    return changed;
  });
};

const onMember = {
  tag: 'Interest',
  example: { request: { profileid: 1002 } },
  input: z.object({ profileid }),
} as const;
const withCounters = { ...onMember, answer: 'The caller’s activity counters.', output: countersSchema };

const alreadyLiked = new Set(['liked', 'mutual', 'declinedme']);

/** POST /like */
export const like = twoMembersEndpoint({
  ...withCounters,
  operationId: 'likeMember',
  summary: 'Like a member',
  description:
    'Liking a member who likes the caller makes a connection (`mutual`). The day of the limit (50001; none for subscribers) begins at midnight in the member’s `timezone`, else in UTC. A missing profileid is 403 without code. Repeating the call changes nothing.',
  codes: refusalCodes('like', failCodes.dailyLikesExceeded),
  handler: async ({ input, caller, member: viewer, other }, context: PairsContext) => {
    if (!isPresent(input.profileid)) throw invalidArgument();
    const check = (sides?: Sides) => {
      const relation = relationOf(sides);
      checkEncounter(context, { viewer, other, relation, purpose: 'like' });
      return relation;
    };
    const known = other && (await context.pairs.store.read(viewer._id, other._id));
    const { covalence } = check(known?.sides);
    if (other && !alreadyLiked.has(covalence)) {
      await checkConfirmed(context, viewer);
      await likeWithinLimit(context, viewer, other, { check, known });
    }
    return countersOfCaller(context, caller);
  },
});

/** POST /unlike */
export const unlike = otherMemberEndpoint({
  ...withCounters,
  operationId: 'unlikeMember',
  summary: 'Withdraw a like or a connection',
  description: 'A missing profileid is 403 without code. Repeating the call changes nothing.',
  handler: async ({ caller, member: viewer, other }, context: PairsContext) => {
    await context.pairs.store.act(viewer._id, other._id, 'unlike');
    return countersOfCaller(context, caller);
  },
});

/** POST /decline */
export const decline = twoMembersEndpoint({
  ...withCounters,
  operationId: 'declineMember',
  summary: 'Decline a like',
  description:
    'Without a received like nothing changes. A missing, bad or unknown profileid is 403 without code. Repeating the call changes nothing.',
  handler: async ({ caller, member: viewer, other }, context: PairsContext) => {
    if (!other || other._id === viewer._id) throw invalidArgument();
    await context.pairs.store.act(viewer._id, other._id, 'decline');
    return countersOfCaller(context, caller);
  },
});

const actionEndpoint = (
  action: 'block' | 'unblock' | 'pass',
  document: Record<'operationId' | 'summary' | 'description' | 'answer', string>,
) =>
  otherMemberEndpoint({
    ...onMember,
    ...document,
    output: z.object({}),
    handler: async ({ member: viewer, other }, context: PairsContext) => {
      await context.pairs.store.act(viewer._id, other._id, action);
      return {};
    },
  });

/** POST /block */
export const block = actionEndpoint('block', {
  operationId: 'blockMember',
  summary: 'Block a member',
  description:
    'Ends a connection, withdraws both likes and hides each member from the other. Repeating the call changes nothing.',
  answer: 'The member is blocked.',
});

/** POST /unblock */
export const unblock = actionEndpoint('unblock', {
  operationId: 'unblockMember',
  summary: 'Unblock a member',
  description: 'Likes from before the block do not come back. Repeating the call changes nothing.',
  answer: 'The member is not blocked.',
});

/** POST /pass */
export const pass = actionEndpoint('pass', {
  operationId: 'passMember',
  summary: 'Hide a member from your results',
  description:
    'Hides the member from the caller’s results for 30 days; nobody is notified. Repeating the call changes nothing.',
  answer: 'The member is hidden.',
});
