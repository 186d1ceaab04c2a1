import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { anyRecordOutput } from '../record/record-schemas.ts';
import { refusalOf } from '../access/eligibility.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { relationOf } from '../pairs/relation.ts';
import { ownRecord, singleRecord } from '../record/records.ts';
import { activeCaller } from './active-caller.ts';
import { findProfile } from './find-profile.ts';

/** Counts the view, and tells the member of it unless the same viewer looked a moment ago (D25, D26). */
const recordView = async (context: Context, viewer: Member, viewed: Member) => {
  await Promise.all([
    context.activity.countView(viewed._id, viewer._id, context.clock()),
    context.pairs.act(viewer._id, viewed._id, 'view'),
  ]);
  context.counterNews.soon([viewed._id]);
};

/**
 * GET /users/{profileid}: one profile by number or UUID; `self` or one's own id is the own record. Counts a view and
 * refuses with the 80xxx code that fits (D25).
 */
export const viewProfile = endpoint({
  access: 'member',
  summary: 'One member record',
  input: z.object({ profileid: z.string() }),
  output: anyRecordOutput,
  codes: [80002, 80003, 80004, 80007, 80013, 80014, 80061, 80062, 80063, 80064],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    if (input.profileid === 'self') return ownRecord(context, viewer);
    const member = await findProfile(context, input.profileid);
    if (member?._id === viewer._id) return ownRecord(context, viewer);
    const relation = relationOf(member && (await context.pairs.read(viewer._id, member._id)));
    const refusal = refusalOf({
      viewer,
      other: member,
      relation,
      sites: context.sites,
      now: context.clock(),
      purpose: 'profile',
    });
    if (refusal !== undefined || !member) throw invalidArgument(refusal ?? 80013);
    const [record] = await Promise.all([
      singleRecord(context, viewer, { member, relation }),
      recordView(context, viewer, member),
    ]);
    return record;
  },
});
