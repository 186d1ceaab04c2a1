import { backoffMs, isGivenUp } from './push-backoff.ts';
import type { Circuit } from './push-circuit.ts';
import type { Push, PushContext } from '../push-context.ts';
import type { Target } from '../push-target.ts';
import { isStale, pushContent } from '../push-message.ts';
import { isBlocked, isRead, isWanted, waitsUntil } from '../push-rules.ts';
import { serviceFailure, type PushResult } from '../transports/transport.ts';
import { deviceOf, type ClaimedDevice, type DeviceOutcome, type QueuedMessage } from '../push-queue-store.ts';

/** A message takes at most this long: two attempts, each with a second one after a refusal. */
const longestSendMs = 40_000;

const notConfigured: PushResult = { outcome: 'failed', reason: 'app not configured' };

/** Before the first message of a lane, an answer that a wrong setting brings for every device says nothing about this one. */
const unprovenResult = (result: PushResult): PushResult =>
  result.isOfSettings ? { ...result, ...serviceFailure(result.reason ?? '') } : result;

/** Options of sending; `unsent` is called with the reason of each message that was not sent. */
interface DeliveryOptions {
  readonly push: Push;
  readonly circuit: Circuit;
  readonly signal: AbortSignal;
  readonly unsent: (reason: string) => void;
}

type Device = Target['devices'][number];

/** Whether to send a message: not if it is outdated or unwanted; a date is the end of the quiet hours that it waits for. */
function planOf(
  message: QueuedMessage,
  target: Target,
  device: Device,
  now: Date,
): 'outdated' | 'unwanted' | 'send' | Date {
  if (isStale(message.update.at, now) || isRead(message, target) || isBlocked(message, target))
    return 'outdated';
  if (!isWanted(message.type, target, device)) return 'unwanted';
  return waitsUntil(message.type, target, now) ?? 'send';
}

/** Sends a device one message, in one attempt. */
async function attempt(
  message: QueuedMessage,
  target: Target,
  device: Device,
  { push, circuit, signal }: DeliveryOptions,
): Promise<PushResult> {
  const transport = push.transportOf(device.endpoint);
  const content = pushContent(message.type, message, { ...target, locale: device.locale ?? target.locale });
  const result = transport ? await transport.send(device, content, signal) : notConfigured;
  return circuit.hasSent ? result : unprovenResult(result);
}

/**
 * Sends a device its messages one after the other until one fails, so that a device that never answers costs one attempt per
 * pause. Resolves with undefined when the device is gone or no longer the member's: its messages can be deleted.
 */
export async function sendToDevice(
  claimed: ClaimedDevice,
  target: Target | undefined,
  { metrics, profile, live: { clock, logger } }: PushContext,
  options: DeliveryOptions,
): Promise<DeviceOutcome | undefined> {
  const { circuit, signal, unsent } = options;
  const device = target?.devices.find(({ endpoint }) => deviceOf(endpoint) === claimed.device);
  if (!target || !device) return undefined;
  // All messages are of types that a later version knows.
  if (!claimed.messages.length) return { done: [], next: claimed.until, failing: claimed.failing };
  const done: QueuedMessage[] = [];
  let { failing } = claimed;
  let restsUntil: number | undefined;
  for (const message of claimed.messages) {
    // Another process could claim the device while this one still sends to it.
    if (clock().getTime() > claimed.until - longestSendMs) return { done, next: clock().getTime(), failing };
    const plan = planOf(message, target, device, clock());
    if (plan === 'outdated') metrics.pushes.inc({ outcome: 'dropped' });
    if (plan instanceof Date) restsUntil = plan.getTime();
    else if (plan !== 'send') done.push(message);
    if (plan !== 'send') continue;
    const { outcome, reason = '', retry, service } = await attempt(message, target, device, options);
    const now = clock().getTime();
    // This process is shutting down: another one retries.
    if (signal.aborted && outcome === 'failed') return { done, next: now, failing };
    metrics.pushes.inc({ outcome });
    if (service) {
      // Not the device's fault: it does not count as failing.
      unsent(reason);
      if (circuit.failed(service.afterMs, now))
        logger.warn({ lane: claimed.lane, reason }, 'push service fails, pausing its messages');
      return { done, next: now + backoffMs(1, Math.max(retry?.afterMs ?? 0, service.afterMs)), failing };
    }
    circuit.succeeded(outcome === 'sent');
    if (outcome === 'sent') {
      failing = undefined;
      done.push(message);
      continue;
    }
    if (outcome !== 'gone') unsent(reason);
    failing = { since: failing?.since ?? now, attempts: (failing?.attempts ?? 0) + 1 };
    if (outcome === 'gone' || isGivenUp(failing, now)) {
      const { endpoint, added_at } = device;
      // No sign-in asks: the device is gone.
      await profile.removePushDevices({ id: target.id, endpoint, added_at, recent_sign_in: true });
      return undefined;
    }
    if (!retry) done.push(message);
    return { done, next: now + backoffMs(failing.attempts, retry?.afterMs), failing };
  }
  return { done, next: restsUntil ?? clock().getTime(), failing, rests: restsUntil !== undefined };
}
