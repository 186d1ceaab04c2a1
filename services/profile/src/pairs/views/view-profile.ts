import { invalidArgument } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import { anyRecordOutput } from '../../record/record-schemas.ts';
import { refusalNow } from '../eligibility.ts';
import type { Context } from '../../context.ts';
import type { Member } from '../../members/document/member.ts';
import { act } from '../pair-machine.ts';
import { strangers, type Sides } from '../pair.ts';
import { relationOf } from '../relation.ts';
import { ownRecord, singleRecord } from '../../record/records.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { countOpened } from './count-opened.ts';
import { findProfile } from '../../members/find-profile.ts';

/** Counts the view, and tells the member of it unless the same viewer looked a moment ago. */
const recordView = async (context: Context, viewer: Member, viewed: Member, sides: Sides) => {
  const now = context.clock();
  // What was just read says so already where the pair stays as it is.
  const isNews = act(sides, 'view', now) !== sides;
  await Promise.all([
    context.activity.countView(viewed._id, viewer._id, now),
    isNews && context.pairs.act(viewer._id, viewed._id, 'view'),
  ]);
  context.counterNews.soon([viewed._id]);
};

/** Viewer, viewed member and what stands between them; side by side where the profile is named by its number. */
const meet = async (context: Context, caller: Caller, profileid: string) => {
  const number = /^\d{1,15}$/.test(profileid) ? Number(profileid) : undefined;
  const [viewer, member, early] = await Promise.all([
    activeCaller(context, caller),
    findProfile(context, profileid),
    number === undefined ? undefined : context.pairs.read(caller.id, number),
  ]);
  const sides = early ?? (member ? await context.pairs.read(viewer._id, member._id) : strangers);
  return { viewer, member, sides };
};

/**
 * GET /users/{profileid}: one profile by number or UUID; `self` or one's own id is the own record. Counts a view and
 * refuses with the 80xxx code that fits.
 */
export const viewProfile = endpoint({
  access: 'member',
  summary: 'One member record',
  input: z.object({ profileid: z.string() }),
  output: anyRecordOutput,
  codes: [80002, 80003, 80004, 80007, 80013, 80014, 80061, 80062, 80063, 80064, 80065],
  handler: async ({ input, caller }, context: Context) => {
    if (input.profileid === 'self') return ownRecord(context, await activeCaller(context, caller));
    const { viewer, member, sides } = await meet(context, caller, input.profileid);
    if (member?._id === viewer._id) return ownRecord(context, viewer);
    const relation = relationOf(sides);
    const refusal = refusalNow(context, { viewer, other: member, relation, purpose: 'profile' });
    if (refusal !== undefined || !member) throw invalidArgument(refusal ?? 80013);
    await countOpened(context, viewer, member);
    const [record] = await Promise.all([
      singleRecord(context, viewer, { member, relation }),
      recordView(context, viewer, member, sides),
    ]);
    return record;
  },
});
