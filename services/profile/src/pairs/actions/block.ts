import { actingOn } from './act-on-member.ts';

/** POST /block: ends a connection and withdraws both likes; the other cannot see or reach the member. */
export const block = actingOn('block', 'Block a member');

/** POST /unblock: takes a block back; likes do not come back. */
export const unblock = actingOn('unblock', 'Take a block back');
