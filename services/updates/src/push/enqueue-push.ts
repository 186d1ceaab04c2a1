import type { Event } from '@covalence/contract/events';
import type { PushType } from '@covalence/contract/push-types';
import type { Context } from '../context.ts';
import { notificationOf, type Notification } from '../live/notification.ts';
import { isStale, pushTypeOf } from './push-message.ts';
import { targetsOf } from './push-targets.ts';

interface Due {
  readonly type: PushType;
  readonly message: Notification;
}

/**
 * Has members' devices told of what no socket of theirs took, which is what this queue holds. The devices' messages are
 * kept first and sent then, so that no event waits for a push service. An event that comes again is kept once.
 */
export async function enqueuePush(
  events: readonly Event[],
  { profile, waiting, metrics, clock }: Pick<Context, 'profile' | 'waiting' | 'metrics' | 'clock'>,
): Promise<void> {
  const now = clock();
  const due = events.flatMap((event): Due[] => {
    const message = notificationOf(event);
    const type = message && pushTypeOf(message);
    return type && !isStale(message.update.at, now) ? [{ type, message }] : [];
  });
  if (!due.length) return;
  const targets = await targetsOf(
    due.map(({ message }) => message.member),
    profile,
  );
  await Promise.all(
    due.map(async ({ type, message }) => {
      const devices = targets.get(message.member)?.devices.filter(({ types }) => types.includes(type)) ?? [];
      if (!devices.length) return;
      const endpoints = devices.map(({ endpoint }) => endpoint);
      const { replaced, dropped } = await waiting.add({ type, message, endpoints });
      metrics.pushes.inc({ outcome: 'replaced' }, replaced);
      metrics.pushes.inc({ outcome: 'dropped' }, dropped);
    }),
  );
}
