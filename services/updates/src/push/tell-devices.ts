import type { Event } from '@covalence/contract/events';
import type { PushType } from '@covalence/contract/push-types';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { liveMessageOf, type LiveMessage } from '../live/live-message.ts';
import { inTurns } from './in-turns.ts';
import { pushPayload, pushTypeOf } from './push-message.ts';
import type { PushTarget } from './push-sender.ts';

interface Due {
  readonly type: PushType;
  readonly message: LiveMessage;
}

interface Job extends Due {
  readonly target: PushTarget;
  readonly text: string;
}

/** Devices that are told at once. */
const atOnce = 64;
const pollMs = 50;
/** How old an event may become before the live updates have told it; then nobody knows whether a socket took it. */
const patienceMs = 60_000;
/** A day later nobody wants to know. */
const staleMs = 86_400_000;

/** Whether no socket took a message, as the live updates found; waits for them where they have not told it yet. */
async function missed(
  { message }: Due,
  { history, clock, logger }: Context,
  stopping: AbortSignal,
): Promise<boolean> {
  const { member, eventId, update } = message;
  const age = () => clock().getTime() - new Date(update.at).getTime();
  const begun = performance.now();
  for (;;) {
    const heard = await history.heardBy(member, eventId);
    if (heard !== undefined) return heard === 0;
    if (age() > patienceMs && performance.now() - begun > pollMs) {
      logger.warn({ event: eventId }, 'not told live in time, and so not pushed');
      return false;
    }
    await wait(pollMs, undefined, { signal: stopping });
  }
}

/** What was not sent in a batch, by push service and reason; an endpoint is a secret, and its host is not. */
type Unsent = Map<string, { readonly host: string; readonly reason: string; messages: number }>;

function note(unsent: Unsent, { endpoint }: PushTarget, reason: string): void {
  const { host } = new URL(endpoint);
  const key = `${host} ${reason}`;
  const known = unsent.get(key) ?? { host, reason, messages: 0 };
  known.messages += 1;
  unsent.set(key, known);
}

async function send({ target, text, type, message }: Job, context: Context, unsent: Unsent): Promise<void> {
  const { push, metrics, profile } = context;
  if (!push) return;
  const { outcome, reason = '' } = await push.sender.send(target, text, type);
  metrics.pushes.inc({ outcome });
  if (outcome === 'failed' || outcome === 'refused') note(unsent, target, reason);
  if (outcome !== 'gone') return;
  await profile.removePushDevices({ id: message.member, endpoint: target.endpoint });
}

/** Sends a batch, and says once for each push service and reason what was not sent. */
async function sendAll(jobs: readonly Job[], context: Context, stopping: AbortSignal): Promise<void> {
  const unsent: Unsent = new Map();
  try {
    await inTurns(jobs, atOnce, (job) => {
      stopping.throwIfAborted();
      return send(job, context, unsent);
    });
  } finally {
    for (const what of unsent.values()) context.logger.warn(what, 'push messages not sent');
  }
}

/** The messages of a batch by the devices that are to be told. */
async function jobsOf(due: readonly Due[], { profile }: Context): Promise<Job[]> {
  const ids = [...new Set(due.map(({ message }) => message.member))];
  const { targets } = await profile.pushTargets({ ids });
  const byId = new Map(targets.map((target) => [target.id, target]));
  return due.flatMap((one) => {
    const found = byId.get(one.message.member);
    if (!found) return [];
    const text = pushPayload(one.type, one.message, found);
    const devices = found.devices.filter(({ types }) => types.includes(one.type));
    return devices.map((target) => ({ ...one, target, text }));
  });
}

const keyOf = ({ message }: Due) => `${message.member}:${message.eventId}`;

/**
 * Tells members' devices by push what no socket of theirs took (D41). An event that comes again is sent once, unless the
 * process ended in the middle; then the device shows it once by its tag.
 */
export async function tellDevices(
  events: readonly Event[],
  context: Context,
  stopping: AbortSignal,
): Promise<void> {
  const { pushed, clock } = context;
  const all = events.flatMap((event): Due[] => {
    const message = liveMessageOf(event);
    const type = message && pushTypeOf(message);
    const stale = clock().getTime() - new Date(event.at).getTime() > staleMs;
    return type && !stale ? [{ type, message }] : [];
  });
  // An event that was handed on twice may be here twice.
  const due = [...new Map(all.map((one) => [keyOf(one), one])).values()];
  const fresh = await pushed.fresh(due.map(keyOf));
  const wanted = due.filter((_, index) => fresh[index]);
  const open = await Promise.all(wanted.map((one) => missed(one, context, stopping)));
  const silent = wanted.filter((_, index) => open[index]);
  if (!silent.length) return;
  await sendAll(await jobsOf(silent, context), context, stopping);
  await Promise.all(silent.map((one) => pushed.mark(keyOf(one))));
}
