import type { pushTargets } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { z } from 'zod';
import { backoffMs, isGivenUp } from './push-backoff.ts';
import type { Push, PushContext } from './push-context.ts';
import { isStale, pushPayload } from './push-message.ts';
import { deviceOf, type ClaimedDevice, type DeviceOutcome, type QueuedMessage } from './push-queue-store.ts';

/** A member with the devices that receive push messages. */
export type Target = z.output<typeof pushTargets.output>['targets'][number];

/** Returns the members who have such devices, by id; ids may repeat. */
export async function targetsOf(
  members: readonly number[],
  profile: Peer<'profile'>,
): Promise<ReadonlyMap<number, Target>> {
  const { targets } = await profile.pushTargets({ ids: [...new Set(members)] });
  return new Map(targets.map((target) => [target.id, target]));
}

/** Options of sending; `unsent` is called with the reason of each message that was not sent. */
interface DeliveryOptions {
  readonly push: Push;
  readonly signal: AbortSignal;
  readonly unsent: (reason: string) => void;
}

/**
 * Sends a device its messages one after the other until one fails, so that a device that never answers costs one attempt per
 * pause. Resolves with undefined when the device is gone or no longer the member's: its messages can be deleted.
 */
export async function sendToDevice(
  claimed: ClaimedDevice,
  target: Target | undefined,
  { metrics, profile, live: { clock } }: PushContext,
  { push, signal, unsent }: DeliveryOptions,
): Promise<DeviceOutcome | undefined> {
  const device = target?.devices.find(({ endpoint }) => deviceOf(endpoint) === claimed.device);
  if (!target || !device) return undefined;
  const done: QueuedMessage[] = [];
  let { failing } = claimed;
  for (const message of claimed.messages) {
    const stale = isStale(message.update.at, clock());
    if (stale) metrics.pushes.inc({ outcome: 'dropped' });
    if (stale || !device.types.includes(message.type)) {
      done.push(message);
      continue;
    }
    const text = pushPayload(message.type, message, target);
    const { outcome, reason = '', retry } = await push.sender.send(device, text, message.type, signal);
    const now = clock().getTime();
    // This process is shutting down: another one retries.
    if (signal.aborted && outcome === 'failed') return { done, next: now, failing };
    metrics.pushes.inc({ outcome });
    if (outcome === 'sent') {
      failing = undefined;
      done.push(message);
      continue;
    }
    if (outcome !== 'gone') unsent(reason);
    failing = { since: failing?.since ?? now, attempts: (failing?.attempts ?? 0) + 1 };
    if (outcome === 'gone' || isGivenUp(failing, now)) {
      await profile.removePushDevices({ id: target.id, endpoint: device.endpoint });
      return undefined;
    }
    if (!retry) done.push(message);
    return { done, next: now + backoffMs(failing.attempts, retry?.afterMs), failing };
  }
  return { done, next: clock().getTime(), failing };
}
