import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { memberView } from './entry.ts';
import { memberOf } from '../staff-call.ts';

/** GET /staff/members/{id}: a member with what is to be decided on, also where nothing waits. */
export const showMember = endpoint({
  access: 'staff',
  summary: 'A member as staff see them',
  input: z.object({ id: z.string() }),
  output: z.looseObject({ id: z.int(), revision: z.string(), texts: z.record(z.string(), z.unknown()) }),
  handler: async ({ input }, context: ModerationContext) =>
    memberView(await memberOf(context, input.id), context),
});
