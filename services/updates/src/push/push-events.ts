import type { Event } from '@covalence/contract/events';
import type { PushType } from '@covalence/contract/push-types';
import { notificationOf, type Notification } from '../live/notification.ts';
import type { Push, PushContext } from './push-context.ts';
import { isStale, pushTypeOf } from './push-message.ts';
import { targetsOf } from './send-to-device.ts';

/** Sends an event's notification to the recipient's sockets; if it reaches none, the event goes to the push queue. */
export async function deliverNotification(
  event: Event,
  { live, publisher, push }: PushContext,
): Promise<void> {
  const message = notificationOf(event);
  if (!message) return;
  const processes = await live.history.append(message);
  if (push && processes === 0 && pushTypeOf(message)) await publisher.handOn(event);
}

interface PushEvent {
  readonly type: PushType;
  readonly message: Notification;
}

/** Queues push messages for events whose notification reached no socket. A repeated event is queued once. */
export async function enqueuePush(
  events: readonly Event[],
  { profile, metrics, live }: PushContext,
  { queue }: Push,
): Promise<void> {
  const now = live.clock();
  const pushEvents = events.flatMap((event): PushEvent[] => {
    const message = notificationOf(event);
    const type = message && pushTypeOf(message);
    return type && !isStale(message.update.at, now) ? [{ type, message }] : [];
  });
  if (!pushEvents.length) return;
  const members = pushEvents.map(({ message }) => message.member);
  const targets = await targetsOf(members, profile);
  await Promise.all(
    pushEvents.map(async ({ type, message }) => {
      const devices = targets.get(message.member)?.devices.filter(({ types }) => types.includes(type)) ?? [];
      if (!devices.length) return;
      const endpoints = devices.map(({ endpoint }) => endpoint);
      const { replaced, dropped } = await queue.add({ type, message, endpoints });
      metrics.pushes.inc({ outcome: 'replaced' }, replaced);
      metrics.pushes.inc({ outcome: 'dropped' }, dropped);
    }),
  );
}
