import type { Event } from '@covalence/contract/events';
import type { PushType } from '@covalence/contract/push-types';
import type { Context } from '../context.ts';
import { notificationOf, type Notification } from '../live/notification.ts';
import { isStale, pushTypeOf } from './push-message.ts';
import { targetsOf } from './push-targets.ts';

interface PushEvent {
  readonly type: PushType;
  readonly message: Notification;
}

/**
 * Queues push messages for notifications that reached no socket. The worker sends them, so that no event waits for a push
 * service. A repeated event is queued once.
 */
export async function enqueuePush(
  events: readonly Event[],
  { profile, pushQueue, metrics, clock }: Pick<Context, 'profile' | 'pushQueue' | 'metrics' | 'clock'>,
): Promise<void> {
  const now = clock();
  const pushEvents = events.flatMap((event): PushEvent[] => {
    const message = notificationOf(event);
    const type = message && pushTypeOf(message);
    return type && !isStale(message.update.at, now) ? [{ type, message }] : [];
  });
  if (!pushEvents.length) return;
  const targets = await targetsOf(
    pushEvents.map(({ message }) => message.member),
    profile,
  );
  await Promise.all(
    pushEvents.map(async ({ type, message }) => {
      const devices = targets.get(message.member)?.devices.filter(({ types }) => types.includes(type)) ?? [];
      if (!devices.length) return;
      const endpoints = devices.map(({ endpoint }) => endpoint);
      const { replaced, dropped } = await pushQueue.add({ type, message, endpoints });
      metrics.pushes.inc({ outcome: 'replaced' }, replaced);
      metrics.pushes.inc({ outcome: 'dropped' }, dropped);
    }),
  );
}
