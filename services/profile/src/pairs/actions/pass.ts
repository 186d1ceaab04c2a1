import { actingOn } from './act-on-member.ts';

/** POST /pass: hides a member from the viewer's results for 30 days; nobody is told, and it is no covalence. */
export const pass = actingOn('pass', 'Pass over a member for 30 days');
