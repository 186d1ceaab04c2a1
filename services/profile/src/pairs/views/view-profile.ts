import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import { profileidInPath } from '@covalence/contract/parameters';
import { anyRecordOutput, ownRecordOutput } from '../../record/render-record.ts';
import { canStartThread, refusalCodes, checkEncounter } from '../eligibility.ts';
import type { PairsContext } from '../pairs.ts';
import type { Member } from '../../members/document/member.ts';
import type { ReadPair } from '../pair-store.ts';
import { relationOf } from '../pair.ts';
import { ownRecord, singleRecord } from '../../record/records.ts';
import { checkCaller, memberEndpoint } from '../../members/member-endpoint.ts';
import { countToday } from '../daily-limit.ts';
import { findTwo, numericId } from '../../members/members.ts';

/** Counts the view, and notifies the member unless the same viewer looked in the last ten minutes. */
const recordView = async (context: PairsContext, viewer: Member, viewed: Member, known?: ReadPair) => {
  await Promise.all([
    context.pairs.activity.countView(viewed._id, viewer._id, context.clock()),
    context.pairs.store.act(viewer._id, viewed._id, 'view', { known }),
  ]);
  context.pairs.counterUpdates.schedule([viewed._id]);
};

/** Reads viewer and viewed member, and their pair; in parallel where the profile is named by its number. */
const meet = async (context: PairsContext, caller: Caller, profileid: string) => {
  const number = numericId(profileid);
  const [[self, found], early] = await Promise.all([
    findTwo(context, caller.id, profileid),
    number === undefined ? undefined : context.pairs.store.read(caller.id, number),
  ]);
  const viewer = checkCaller(self, caller);
  const pair = early ?? (found && (await context.pairs.store.read(viewer._id, found._id)));
  return { viewer, found, pair };
};

/** GET /users/self */
export const viewSelf = memberEndpoint({
  tag: 'Members',
  operationId: 'getOwnRecord',
  summary: 'Get your own record',
  description: 'The caller’s own record.',
  answer: 'The own record.',
  input: z.object({}),
  output: ownRecordOutput,
  handler: ({ member }, context: PairsContext) => ownRecord(context, member),
});

/** GET /users/{profileid} */
export const viewProfile = endpoint({
  access: 'member',
  tag: 'Members',
  operationId: 'getMember',
  summary: 'Get a member record',
  description:
    'One profile by number or UUID; the caller’s own id gives the own record. Counts as a view. The codes say why a profile may not be opened. A site may limit the members whose profile or photos are opened in a day (429).',
  answer: 'The record of the member.',
  example: { request: { profileid: '1002' } },
  input: z.object({ profileid: profileidInPath }),
  output: anyRecordOutput,
  codes: refusalCodes('profile'),
  handler: async ({ input, caller }, context: PairsContext) => {
    const { viewer, found, pair } = await meet(context, caller, input.profileid);
    if (found?._id === viewer._id) return ownRecord(context, viewer);
    const relation = relationOf(pair?.sides);
    const { other: member } = checkEncounter(context, { viewer, other: found, relation, purpose: 'profile' });
    await countToday(context, viewer, 'views', { other: member._id });
    const [record] = await Promise.all([
      singleRecord(context, viewer, {
        member,
        relation,
        canStartThread: canStartThread(context, { viewer, other: member, relation }),
      }),
      recordView(context, viewer, member, pair),
    ]);
    return record;
  },
});
