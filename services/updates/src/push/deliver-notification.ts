import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';
import { notificationOf } from '../live/notification.ts';
import { pushTypeOf } from './push-message.ts';

/** Tells whom an event concerns; what no socket took is handed on to be pushed. */
export async function deliverNotification(
  event: Event,
  { history, publisher, push }: Pick<Context, 'history' | 'publisher' | 'push'>,
): Promise<void> {
  const message = notificationOf(event);
  if (!message) return;
  const heard = await history.append(message);
  if (push && heard === 0 && pushTypeOf(message)) await publisher.handOn(event);
}
