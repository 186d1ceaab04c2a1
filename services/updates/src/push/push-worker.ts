import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Push } from '../context.ts';
import { targetsOf, type Target } from './push-targets.ts';
import { sendToDevice } from './send-to-device.ts';
import type { ClaimedDevice } from './push-queue-store.ts';

/** What sends, again and again. */
export interface PushWorker {
  /** Looks at once, because something was added. */
  wake(): void;
  /** Takes nothing more, and gives what is under way a moment; what is not answered by then is left to other processes. */
  close(): Promise<void>;
}

/** Devices that this process tells at once, and those of them at one push service: one that is slow takes no more places. */
const atOnce = 500;
const atOncePerHost = 50;
/** Push services that are looked at in one round. */
const hostsPerRound = 100;
/** ClaimedDevice devices are due again after so long, where their process has ended: longer than a device's messages take. */
const leaseMs = 60_000;
const graceMs = 2_000;
const countEveryMs = 5_000;

type Sends = Pick<Context, 'waiting' | 'profile' | 'metrics' | 'clock' | 'logger'>;

/** Sends what waits to be pushed, whichever process kept it, until it is closed. */
export function startPushWorker(context: Sends, push: Push): PushWorker {
  const { waiting, profile, metrics, logger } = context;
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const underWay = new Set<Promise<void>>();
  const places = new Map<string, number>();
  let woken = Promise.withResolvers<void>();
  /** Whether something that is due may have been left for want of a place. */
  let isFull = false;
  let taken = 0;
  let countAt = 0;

  const wake = () => woken.resolve();

  const occupy = (host: string, more: number) => {
    taken += more;
    const after = (places.get(host) ?? 0) + more;
    if (after > 0) places.set(host, after);
    else places.delete(host);
  };

  /** What fails here, because a store or profile is away, is due again when the lease of the device is over. */
  const tellOne = async (
    device: ClaimedDevice,
    targets: Promise<ReadonlyMap<number, Target>>,
    unsent: (reason: string) => void,
  ): Promise<void> => {
    const telling = { ...context, push, signal: cutOff.signal, unsent };
    const settled = await sendToDevice(device, (await targets).get(device.member), telling);
    await (settled ? waiting.settle(device, settled) : waiting.forget(device));
  };

  /** Tells devices of one push service, and says once for each reason what was not sent. */
  const tellAll = async (host: string, devices: readonly ClaimedDevice[]): Promise<void> => {
    const reasons = new Map<string, number>();
    const unsent = (reason: string) => void reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const targets = targetsOf(
      devices.map(({ member }) => member),
      profile,
    );
    const outcomes = await Promise.allSettled(
      devices.map(async (device) => {
        try {
          await tellOne(device, targets, unsent);
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
      logger.warn({ err: failed.reason as unknown }, 'push not decided, tried again');
  };

  const round = async (): Promise<void> => {
    isFull = false;
    for (const host of await waiting.hostsDue(hostsPerRound)) {
      const room = Math.min(atOncePerHost - (places.get(host) ?? 0), atOnce - taken);
      isFull ||= room <= 0;
      if (room <= 0 || stopping.signal.aborted) continue;
      const devices = await waiting.take(host, room, leaseMs);
      isFull ||= devices.length === room;
      // Another process was quicker.
      if (!devices.length) continue;
      occupy(host, devices.length);
      const telling = tellAll(host, devices).finally(() => underWay.delete(telling));
      underWay.add(telling);
    }
    if (performance.now() < countAt) return;
    countAt = performance.now() + countEveryMs;
    metrics.pushesWaiting.set(await waiting.count());
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers();
      const timer = setTimeout(wake, push.pollMs);
      await round().catch((error: unknown) => logger.warn({ err: error }, 'push does not know what is due'));
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
      const ended = Promise.all(underWay);
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
      cutOff.abort();
      await ended;
    },
  };
}
