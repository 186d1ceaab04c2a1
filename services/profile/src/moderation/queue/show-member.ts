import { profileidInPath } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { memberView } from './entry.ts';
import { memberOf } from '../staff-call.ts';

/** GET /staff/members/{id} */
export const showMember = endpoint({
  access: 'staff',
  tag: 'Staff',
  operationId: 'getStaffMember',
  summary: 'Get a member for review',
  description:
    'A member with everything that can be decided on, also where nothing waits; `revision` names what was shown.',
  answer: 'The member as staff see them.',
  example: {
    request: { id: '1002' },
    answer: { id: 1002, userstatus: 'approved', texts: { headline: 'Better in person' }, revision: 'm0Wv' },
  },
  input: z.object({ id: profileidInPath }),
  output: z
    .looseObject({ id: z.int(), revision: z.string(), texts: z.record(z.string(), z.unknown()) })
    .meta({ id: 'StaffMember' }),
  handler: async ({ input }, context: ModerationContext) =>
    memberView(await memberOf(context, input.id), context),
});
