import type { Context, Push } from '../context.ts';
import { isStale, pushPayload } from './push-message.ts';
import { isGivenUp, backoffMs } from './push-backoff.ts';
import type { Target } from './push-targets.ts';
import { deviceOf, type DeviceOutcome, type ClaimedDevice, type QueuedMessage } from './push-queue-store.ts';

/** What telling a device needs; `unsent` is called with each message that could not be sent. */
export interface DeliveryContext extends Pick<Context, 'profile' | 'metrics' | 'clock'> {
  readonly push: Push;
  readonly signal: AbortSignal;
  readonly unsent: (reason: string) => void;
}

/**
 * Sends a device what waits for it, one message after the other until one is not taken, so that a device that never answers
 * costs one try a pause. Undefined where nothing is to be kept for it any more: it is gone, or the member's no longer.
 */
export async function sendToDevice(
  taken: ClaimedDevice,
  target: Target | undefined,
  telling: DeliveryContext,
): Promise<DeviceOutcome | undefined> {
  const { push, metrics, clock, signal, profile, unsent } = telling;
  const device = target?.devices.find(({ endpoint }) => deviceOf(endpoint) === taken.device);
  if (!target || !device) return undefined;
  const over: QueuedMessage[] = [];
  let { failing } = taken;
  for (const message of taken.messages) {
    const stale = isStale(message.update.at, clock());
    if (stale) metrics.pushes.inc({ outcome: 'dropped' });
    if (stale || !device.types.includes(message.type)) {
      over.push(message);
      continue;
    }
    const text = pushPayload(message.type, message, target);
    const { outcome, reason = '', again } = await push.sender.send(device, text, message.type, signal);
    const now = clock().getTime();
    // Cut off by the end of this process: another one tries.
    if (signal.aborted && outcome === 'failed') return { over, next: now, failing };
    metrics.pushes.inc({ outcome });
    if (outcome === 'sent') {
      failing = undefined;
      over.push(message);
      continue;
    }
    if (outcome !== 'gone') unsent(reason);
    failing = { since: failing?.since ?? now, tries: (failing?.tries ?? 0) + 1 };
    if (outcome === 'gone' || isGivenUp(failing, now)) {
      await profile.removePushDevices({ id: target.id, endpoint: device.endpoint });
      return undefined;
    }
    if (!again) over.push(message);
    return { over, next: now + backoffMs(failing.tries, again?.afterMs), failing };
  }
  return { over, next: clock().getTime(), failing };
}
