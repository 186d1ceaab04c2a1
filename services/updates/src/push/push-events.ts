import type { Event } from '@covalence/contract/events';
import type { UpdateBody } from '@covalence/contract/live-updates';
import type { StoredMessage } from '../live/history-store.ts';
import { notificationOf } from '../live/notification.ts';
import type { Position } from '../live/position.ts';
import type { Push, PushContext } from './push-context.ts';
import type { Target } from './push-target.ts';
import { isStale, pushTypeOf } from './push-message.ts';
import type { PushRequest } from './push-queue-store.ts';
import { isWanted, waitsUntil } from './push-rules.ts';
import { targetsOf } from './read-targets.ts';

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

/** Hands an event to the push queue whatever sockets are open: one of them may be a thief's. */
export async function pushAlways(event: Event, { publisher, push }: PushContext): Promise<void> {
  if (push) await publisher.handOn(event);
}

type PushEvent = Pick<PushRequest, 'type' | 'message'>;

/** The push message of an event, if it has one. */
function pushEventOf(event: Event): PushEvent | undefined {
  if (event.type === 'account.alerted') {
    const { id: eventId, member, at, data } = event;
    return { type: data.alert, message: { member, eventId, update: { at, data: {} } } };
  }
  const message = notificationOf(event);
  const type = message && pushTypeOf(message);
  return type && { type, message };
}

/** Queues a message for the devices that take it, from the end of quiet hours on. */
async function enqueue(
  { type, message }: PushEvent,
  target: Target,
  { metrics, live }: PushContext,
  { queue }: Push,
): Promise<void> {
  const devices = target.devices.filter((device) => isWanted(type, target, device));
  if (!devices.length) return;
  const endpoints = devices.map(({ endpoint }) => endpoint);
  const from = waitsUntil(type, target, live.clock())?.getTime();
  const { replaced, dropped } = await queue.add({ type, message, endpoints, from });
  metrics.pushes.inc({ outcome: 'replaced' }, replaced);
  metrics.pushes.inc({ outcome: 'dropped' }, dropped);
}

/** Queues push messages of members with devices. */
async function enqueueAll(pushEvents: readonly PushEvent[], context: PushContext, push: Push): Promise<void> {
  const now = context.live.clock();
  const fresh = pushEvents.filter(({ message }) => !isStale(message.update.at, now));
  if (!fresh.length) return;
  const targets = await targetsOf(
    fresh.map(({ message }) => message.member),
    context.profile,
  );
  await Promise.all(
    fresh.map(async (pushEvent) => {
      const target = targets.get(pushEvent.message.member);
      if (target) await enqueue(pushEvent, target, context, push);
    }),
  );
}

/** Queues push messages for events whose notification reached no socket. A repeated event is queued once. */
export const enqueuePush = (events: readonly Event[], context: PushContext, push: Push): Promise<void> =>
  enqueueAll(
    events.flatMap((event) => pushEventOf(event) ?? []),
    context,
    push,
  );

/** The push message of a stored notification, if it has one. */
function storedPushEvent(member: number, { eventId, payload }: StoredMessage): PushEvent[] {
  const update = JSON.parse(payload) as UpdateBody;
  const type = pushTypeOf({ update });
  return type ? [{ type, message: { member, eventId, update } }] : [];
}

/** Queues push messages for notifications after a position, which went to a client that was lost, unless a socket is left. */
export async function pushLost(member: number, after: Position, context: PushContext): Promise<void> {
  const { live, push } = context;
  if (!push || (await live.channels.hasListener(member))) return;
  const { messages = [] } = await live.history.readAfter(member, after);
  await enqueueAll(
    messages.flatMap((message) => storedPushEvent(member, message)),
    context,
    push,
  );
}
