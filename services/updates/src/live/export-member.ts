import { exportUpdates } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** A kept message: a frame without the id that its place gives it. */
const told = exportUpdates.output.shape.live_updates.element;

/** POST /internal/members/export: what the member was told within the last day. */
export const exportOf = endpoint({
  access: 'service',
  summary: 'Everything kept of a member',
  ...exportUpdates,
  handler: async ({ input: { id } }, { history }: Context) => {
    const messages = await history.all(id);
    return { live_updates: messages.map((text) => told.parse(JSON.parse(text))) };
  },
});
