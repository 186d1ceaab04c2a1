import { setTimeout as wait } from 'node:timers/promises';
import { createCircuit, type Circuit } from './push-circuit.ts';
import type { Push, PushContext } from '../push-context.ts';
import type { Target } from '../push-target.ts';
import { atOnceIn, isAppLane } from '../push-lane.ts';
import type { ClaimedDevice } from '../push-queue-store.ts';
import { readTargets } from '../read-targets.ts';
import { sendToDevice } from './send-to-device.ts';

/** Devices that this process sends to at once; each push service has its own limit, so that a slow one cannot block others. */
const atOnce = 3_000;
/** Devices claimed at once: as many as profile answers for in one call. */
const claimedAtOnce = 1_000;
/** Push services checked in one round. */
const lanesPerRound = 100;
/** When a claim ends, also that of a process that died. */
const leaseMs = 60_000;
const graceMs = 2_000;
const countEveryMs = 5_000;

/** Starts sending the messages that any process has queued. */
export function startPushWorker(context: PushContext, push: Push) {
  const { profile, metrics } = context;
  const { logger, clock } = context.live;
  const { queue } = push;
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const sendingTo = new Map<string, number>();
  const circuits = new Map<string, Circuit>();
  let woken = Promise.withResolvers<void>();
  /** Whether due devices may be left because a limit was reached. */
  let isFull = false;
  let claimed = 0;
  let countAt = 0;

  /** Checks the queue at once, because something was added. */
  const wake = () => woken.resolve();

  const occupy = (lane: string, more: number) => {
    claimed += more;
    const after = (sendingTo.get(lane) ?? 0) + more;
    if (after > 0) sendingTo.set(lane, after);
    else sendingTo.delete(lane);
  };

  const circuitOf = (lane: string): Circuit => {
    const circuit = circuits.get(lane) ?? createCircuit();
    // Browsers' hosts fail by device, and there may be any number of them.
    if (isAppLane(lane)) circuits.set(lane, circuit);
    return circuit;
  };

  /** When Redis or profile is down, the device is due again at the end of its claim. */
  const sendOne = async (
    device: ClaimedDevice,
    targets: Promise<ReadonlyMap<number, Target>>,
    unsent: (reason: string) => void,
  ): Promise<void> => {
    const target = (await targets).get(device.member);
    const circuit = circuitOf(device.lane);
    const options = { push, circuit, signal: cutOff.signal, unsent };
    const settled = await sendToDevice(device, target, context, options);
    await (settled ? queue.settle(device, settled) : queue.forget(device));
  };

  /** Sends to devices of one push service, and logs once per reason what was not sent. */
  const sendAll = async (lane: string, devices: readonly ClaimedDevice[]): Promise<void> => {
    const reasons = new Map<string, number>();
    const unsent = (reason: string) => void reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const targets = readTargets(devices, profile, { badges: isAppLane(lane), now: clock() });
    const outcomes = await Promise.allSettled(
      devices.map(async (device) => {
        try {
          await sendOne(device, targets, unsent);
        } finally {
          occupy(lane, -1);
          if (isFull) wake();
        }
      }),
    );
    for (const [reason, messages] of reasons)
      logger.warn({ lane, reason, messages }, 'push messages not sent');
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected')
      logger.warn({ err: failed.reason as unknown }, 'push failed, retrying later');
  };

  const round = async (): Promise<void> => {
    isFull = false;
    for (const lane of await queue.lanesDue(lanesPerRound)) {
      const sending = sendingTo.get(lane) ?? 0;
      const free = Math.min(atOnceIn(lane) - sending, atOnce - claimed, claimedAtOnce);
      const room = circuitOf(lane).admits(free, sending, clock().getTime());
      isFull ||= free <= 0 || (room <= 0 && sending > 0);
      if (room <= 0 || stopping.signal.aborted) continue;
      const devices = await queue.claim(lane, room, leaseMs);
      isFull ||= devices.length === room;
      // Another process claimed them first.
      if (!devices.length) continue;
      occupy(lane, devices.length);
      const sent = sendAll(lane, devices).finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
    if (performance.now() < countAt) return;
    countAt = performance.now() + countEveryMs;
    metrics.pushesWaiting.set(await queue.count());
    metrics.pushCircuitsOpen.set([...circuits.values()].filter(({ isOpen }) => isOpen).length);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers();
      const timer = setTimeout(wake, push.pollMs);
      await round().catch((error: unknown) => logger.warn({ err: error }, 'push queue not read, retrying'));
      if (!stopping.signal.aborted) await woken.promise;
      clearTimeout(timer);
    }
  };
  const running = run();

  return {
    wake,
    /** Claims nothing more and waits briefly for requests in flight; other processes send the rest. */
    async close(): Promise<void> {
      stopping.abort();
      wake();
      await running;
      const ended = Promise.all(inFlight);
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
      cutOff.abort();
      await ended;
    },
  };
}
