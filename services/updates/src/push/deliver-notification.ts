import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';
import { notificationOf } from '../live/notification.ts';
import { pushTypeOf } from './push-message.ts';

/** Sends an event's notification to the recipient's sockets; one that reaches none is handed on to push. */
export async function deliverNotification(
  event: Event,
  { history, publisher, push }: Pick<Context, 'history' | 'publisher' | 'push'>,
): Promise<void> {
  const message = notificationOf(event);
  if (!message) return;
  const processes = await history.append(message);
  if (push && processes === 0 && pushTypeOf(message)) await publisher.handOn(event);
}
