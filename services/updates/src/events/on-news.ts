import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';
import { liveMessageOf } from '../live/live-message.ts';

/** Tells whom an event concerns (D41). */
export async function onNews(event: Event, { history }: Pick<Context, 'history'>): Promise<void> {
  const message = liveMessageOf(event);
  if (message) await history.append(message);
}
