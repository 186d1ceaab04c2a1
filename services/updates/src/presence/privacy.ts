import { eraseMember, exportUpdates } from '@covalence/contract/peers/privacy-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { LiveContext } from '../live/live.ts';
import type { PresenceContext } from './watch-presence.ts';

/** A stored message: a frame without its id. */
const storedFrame = exportUpdates.output.shape.live_updates.element;

/** POST /internal/members/export: the member's updates of the last day. */
export const exportOf = serviceEndpoint(exportUpdates, async ({ id }, { live }: LiveContext) => {
  const messages = await live.history.all(id);
  return { live_updates: messages.map((text) => storedFrame.parse(JSON.parse(text))) };
});

/** POST /internal/members/erase: deletes the member's history and presence. Idempotent. */
export const erase = serviceEndpoint(eraseMember, async ({ id }, { live, presence }: PresenceContext) => {
  await Promise.all([live.history.erase(id), presence.forget(id)]);
  return {};
});
