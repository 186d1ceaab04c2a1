import { updateSchema } from '@covalence/contract/live-updates';
import { exportUpdates } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

const told = updateSchema.omit({ id: true });

/** POST /internal/members/export: what the member was told within the last day. */
export const exportOf = endpoint({
  access: 'service',
  summary: 'Everything kept of a member',
  ...exportUpdates,
  handler: async ({ input: { id } }, { history }: Context) => {
    const messages = await history.all(id);
    return { live_updates: messages.map((text) => told.parse(JSON.parse(text))), push_subscriptions: [] };
  },
});
