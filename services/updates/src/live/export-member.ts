import { exportUpdates } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** A stored message: a frame without its id. */
const storedFrame = exportUpdates.output.shape.live_updates.element;

/** POST /internal/members/export: the member's updates of the last day. */
export const exportOf = endpoint({
  access: 'service',
  summary: 'Everything kept of a member',
  ...exportUpdates,
  handler: async ({ input: { id } }, { history }: Context) => {
    const messages = await history.all(id);
    return { live_updates: messages.map((text) => storedFrame.parse(JSON.parse(text))) };
  },
});
