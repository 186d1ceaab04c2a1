import { profileidInPath } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { decide } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';
import { decisionIdShape, memberOf, onMember } from '../staff-call.ts';
import { settleFlag } from './settle-flags.ts';

/** POST /staff/members/{id}/dismiss-signals */
export const dismissSignals = endpoint({
  access: 'staff',
  staff: onMember('moderator'),
  operationId: 'dismissScamSignals',
  summary: 'Dismiss the scam signals of a member',
  description:
    'Earlier messages of the member no longer count, and the flag counts as a false positive in the precision. With the mode `on`, the member leaves the queue. The member is not notified. Without a flag nothing changes.',
  answer: 'Whether the call changed anything.',
  example: { request: { id: '1002' } },
  statuses: [409],
  input: z.object({ id: profileidInPath }),
  output: z
    .object({
      id: z.int().meta({ examples: [1002] }),
      changed: z.boolean().meta({ examples: [true] }),
      ...decisionIdShape,
    })
    .meta({ id: 'DismissedSignals' }),
  handler: async ({ input, caller: staff }, context: ModerationContext) => {
    const { _id: id, scam_signals_at: waits } = await memberOf(context, input.id);
    const open = await context.moderation.scamFlags.openOf(id);
    if (!open.length) return { id, changed: false };
    const authority = { staff, kind: waits && ('profile' as const) };
    const { decision } = await decide(context, id, authority, () => ({
      patch: { scam_signals_at: undefined },
      entry: { action: 'dismiss-signals' },
    }));
    for (const flag of open) await settleFlag(context, flag);
    return { id, changed: true, decision_id: decision };
  },
});
