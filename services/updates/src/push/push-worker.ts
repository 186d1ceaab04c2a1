import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Push } from '../context.ts';
import { targetsOf, type Target } from './push-targets.ts';
import { sendToDevice } from './send-to-device.ts';
import type { ClaimedDevice } from './push-queue-store.ts';

/** Sends what is in the queue until it is closed. */
export interface PushWorker {
  /** Checks the queue at once, because something was added. */
  wake(): void;
  /** Claims nothing more and gives requests in flight a moment; the rest is left to other processes. */
  close(): Promise<void>;
}

/** Devices that this process sends to at once, in all and at one push service, so that a slow service cannot block others. */
const atOnce = 500;
const atOncePerHost = 50;
/** Push services checked in one round. */
const hostsPerRound = 100;
/** When the claim of a process that died ends: longer than sending a device's messages takes. */
const leaseMs = 60_000;
const graceMs = 2_000;
const countEveryMs = 5_000;

type WorkerContext = Pick<Context, 'pushQueue' | 'profile' | 'metrics' | 'clock' | 'logger'>;

/** Starts sending what any process has queued. */
export function startPushWorker(context: WorkerContext, push: Push): PushWorker {
  const { pushQueue: queue, profile, metrics, logger } = context;
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const sendingTo = new Map<string, number>();
  let woken = Promise.withResolvers<void>();
  /** Whether due devices may be left because a limit was reached. */
  let isFull = false;
  let claimed = 0;
  let countAt = 0;

  const wake = () => woken.resolve();

  const occupy = (host: string, more: number) => {
    claimed += more;
    const after = (sendingTo.get(host) ?? 0) + more;
    if (after > 0) sendingTo.set(host, after);
    else sendingTo.delete(host);
  };

  /** When Redis or profile is down, the device is due again at the end of its claim. */
  const sendOne = async (
    device: ClaimedDevice,
    targets: Promise<ReadonlyMap<number, Target>>,
    unsent: (reason: string) => void,
  ): Promise<void> => {
    const delivery = { ...context, push, signal: cutOff.signal, unsent };
    const settled = await sendToDevice(device, (await targets).get(device.member), delivery);
    await (settled ? queue.settle(device, settled) : queue.forget(device));
  };

  /** Sends to devices of one push service, and logs once per reason what was not sent. */
  const sendAll = async (host: string, devices: readonly ClaimedDevice[]): Promise<void> => {
    const reasons = new Map<string, number>();
    const unsent = (reason: string) => void reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const targets = targetsOf(
      devices.map(({ member }) => member),
      profile,
    );
    const outcomes = await Promise.allSettled(
      devices.map(async (device) => {
        try {
          await sendOne(device, targets, unsent);
        } finally {
          occupy(host, -1);
          if (isFull) wake();
        }
      }),
    );
    for (const [reason, messages] of reasons)
      logger.warn({ host, reason, messages }, 'push messages not sent');
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected')
      logger.warn({ err: failed.reason as unknown }, 'push failed, retrying later');
  };

  const round = async (): Promise<void> => {
    isFull = false;
    for (const host of await queue.hostsDue(hostsPerRound)) {
      const room = Math.min(atOncePerHost - (sendingTo.get(host) ?? 0), atOnce - claimed);
      isFull ||= room <= 0;
      if (room <= 0 || stopping.signal.aborted) continue;
      const devices = await queue.claim(host, room, leaseMs);
      isFull ||= devices.length === room;
      // Another process claimed them first.
      if (!devices.length) continue;
      occupy(host, devices.length);
      const sending = sendAll(host, devices).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    if (performance.now() < countAt) return;
    countAt = performance.now() + countEveryMs;
    metrics.pushesWaiting.set(await queue.count());
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
    async close() {
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
