import { documented, pagesize, profileidInPath } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import type { HeldPhoto, Decision } from '../../members/document/decision.ts';
import { pageOf } from '../../members/page.ts';
import { staffViewer } from '../../record/photo-address.ts';
import { photoObject } from '../../record/fields/photo-object.ts';
import { memberOf } from '../staff-call.ts';
import { tryMoveDecisions } from '../decide.ts';

const photoView = (photo: HeldPhoto, { records }: ModerationContext) => ({
  ...photoObject(photo, records.photoAddresses.of(staffViewer)({}, photo)),
  caption: photo.caption ?? '',
});

const shown = (
  { id, at, staff, action, reason, field, photo, report, evidence, rejected, before, after }: Decision,
  context: ModerationContext,
) => ({
  id,
  at: at.toISOString(),
  staff_id: staff,
  action,
  reason: reason ?? null,
  ...(field !== undefined && { field }),
  ...(report !== undefined && { report_id: report }),
  ...(evidence !== undefined && { evidence_id: evidence }),
  ...(rejected?.text !== undefined && { text: rejected.text }),
  ...(rejected?.photo && { photo: photoView(rejected.photo, context) }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
  ...(photo !== undefined && { photoid: photo }),
});

/** GET /staff/members/{id}/history */
export const history = endpoint({
  access: 'staff',
  tag: 'Staff',
  operationId: 'getStaffHistory',
  summary: 'List the staff decisions on a member',
  description:
    'Newest first: who decided what, when and why. A rejection has the `text`, or the `photo` under an address for staff, as long as it is kept.',
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
  input: z.object({
    id: profileidInPath,
    cursor: z.uuid().toLowerCase().optional().meta(documented.cursor),
    pagesize,
  }),
  output: z
    .object({
      id: z.int(),
      entries: z.array(
        z
          .looseObject({ id: z.uuid(), at: z.iso.datetime(), action: z.string() })
          .meta({ id: 'StaffHistoryEntry' }),
      ),
      next: z.string().nullable(),
    })
    .meta({ id: 'StaffHistory' }),
  handler: async ({ input }, context: ModerationContext) => {
    const member = await memberOf(context, input.id);
    // Decisions that a crash kept from the history are on the member.
    await tryMoveDecisions(context, member);
    const found = await context.moderation.decisions.of(member._id, input.cursor, input.pagesize + 1);
    const { entries, next } = pageOf(found, input.pagesize, (entry) => entry.id);
    return { id: member._id, entries: entries.map((entry) => shown(entry, context)), next };
  },
});
