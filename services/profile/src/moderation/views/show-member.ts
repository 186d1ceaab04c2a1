import { profileidInPath } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { openMember } from '../open-member.ts';
import { memberView, memberViewSchema } from './entry.ts';
import { memberOf, onMember, staffPageInput, photoView, photoViewSchema } from '../staff-call.ts';
import type { Decision } from '../../members/document/member.ts';
import { pageOf } from '../../members/page.ts';
import { tryMoveDecisions, decisionView, decisionViewShape, logDecision } from '../decide.ts';

/** GET /staff/members/{id} */
export const showMember = endpoint({
  access: 'staff',
  staff: onMember('moderator', 'support'),
  operationId: 'getStaffMember',
  summary: 'Get a member for review',
  description:
    'A member with everything that can be decided on, also where nothing waits; `revision` names what was shown. The call is recorded in the history, and each member counts as a search once an hour (429), as in other calls that read data of a member; neither, where the caller has claimed an entry about the member.',
  answer: 'The member as staff see them.',
  example: { request: { id: '1002' } },
  input: z.object({ id: profileidInPath }),
  output: memberViewSchema,
  handler: async ({ input, caller }, context: ModerationContext) => {
    const member = await memberOf(context, input.id);
    // A decision counts, also where a crash kept it from the history.
    await tryMoveDecisions(context, member);
    const isCounted = await openMember(context, member._id, caller.memberId);
    const view = { member: member._id, staff: caller.memberId, at: context.clock() };
    // Before they look.
    if (isCounted) await logDecision(context, { id: v7(), ...view, action: 'view-member' });
    return memberView(member, context);
  },
});

const shown = (decision: Decision, context: ModerationContext) => {
  const { id, staff, approved_by, reason_id, report, evidence, undoes, rejected } = decision;
  return {
    id,
    staff_id: staff,
    approved_by,
    ...decisionView(decision),
    reason_id,
    report_id: report,
    evidence_id: evidence,
    undoes,
    photo: rejected?.photo && photoView(rejected.photo, context),
  };
};

/** GET /staff/members/{id}/history */
export const history = endpoint({
  access: 'staff',
  staff: onMember('moderator', 'support'),
  operationId: 'getStaffHistory',
  summary: 'List the staff decisions on a member',
  description:
    'Newest first: who decided what, when and why. A rejection has the `text`, or the `photo` under an address for staff, as long as it is kept. Counts as GET /staff/members/{id} does (429).',
  answer: 'A page of decisions.',
  example: {
    request: { id: '1002' },
    answer: {
      id: 1002,
      entries: [
        {
          id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
          at: '2026-03-01T12:00:00.000Z',
          staff_id: '019a3f20-1111-7d41-9d0f-5b1f5c1e8a77',
          action: 'approve',
          reason: null,
        },
      ],
      next: null,
    },
  },
  input: staffPageInput,
  output: z
    .object({
      id: z.int(),
      entries: z.array(
        z
          .strictObject({
            id: z.uuid(),
            staff_id: z.string(),
            approved_by: z
              .string()
              .optional()
              .meta({ description: 'The second person, if one approved it.' }),
            ...decisionViewShape,
            reason_id: z.string().optional(),
            report_id: z.string().optional(),
            evidence_id: z.uuid().optional(),
            undoes: z.uuid().optional().meta({ description: 'The decision that was taken back.' }),
            photo: photoViewSchema.optional(),
          })
          .meta({ id: 'StaffHistoryEntry' }),
      ),
      next: z.uuid().nullable(),
    })
    .meta({ id: 'StaffHistory' }),
  handler: async ({ input, caller }, context: ModerationContext) => {
    const member = await memberOf(context, input.id);
    await openMember(context, member._id, caller.memberId);
    // Decisions that a crash kept from the history are on the member.
    await tryMoveDecisions(context, member);
    const found = await context.moderation.decisions.of(member._id, input.cursor, input.pagesize + 1);
    const { entries, next } = pageOf(found, input.pagesize, (entry) => entry.id);
    return { id: member._id, entries: entries.map((entry) => shown(entry, context)), next };
  },
});
