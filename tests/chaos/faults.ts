import type { EventOf } from '@covalence/contract/events';
import { queueOf } from '@covalence/events/topology';
import { until } from '@covalence/testing/until';
import { connect } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Load } from './load/load.ts';
import type { Outcome } from './load/answers.ts';
import { isEngine, unitNames, type System, type UnitName } from './system.ts';

/** A fault at one target. */
interface Strike {
  readonly system: System;
  readonly load: Load;
  readonly target: UnitName;
  /** Duration of a fault that lasts, ms. */
  readonly ms: number;
}

/** A fault. */
interface Fault {
  readonly targets: readonly UnitName[];
  /** Outcomes that clients may see besides 503, with the reason where they are declared. */
  readonly allows: (target: UnitName) => readonly Outcome[];
  /** Resolves when the fault is over; the supervisor restarts what it killed. */
  readonly strike: (strike: Strike) => Promise<void>;
}

const engines = unitNames.filter(isEngine);

/** Delay before a restart, so that the load notices the outage. */
const awayMs = 3_000;

const none = (): readonly Outcome[] => [];

/**
 * The gateway takes its connections with it. A dying service truncates the answer it is sending, but a
 * truncated answer must never look complete.
 */
const cutOff = (target: UnitName): readonly Outcome[] => {
  if (target === 'gateway') return ['reset', 'cut'];
  return isEngine(target) ? [] : ['cut'];
};

const stopped = async ({ system, target, ms }: Strike): Promise<void> => {
  system.unit(target).kill('SIGSTOP');
  await wait(ms).finally(() => system.unit(target).kill('SIGCONT'));
};

const viaProxy =
  (make: (strike: Strike) => void) =>
  async (strike: Strike): Promise<void> => {
    make(strike);
    await wait(strike.ms).finally(() => strike.system.way(strike.target).restore());
  };

/** The stores, which billing asks, answer nothing for a while. */
const silent = async ({ system: { outside }, ms }: Strike): Promise<void> => {
  outside.silent(true);
  await wait(ms).finally(() => outside.silent(false));
};

/** A slow store: below every time limit, but slower than usual. */
const slowMs = 400;
/** One of this many chunks is truncated. */
const tornEvery = 15;

/** Number of events sent to a stopped consumer: more than its batch and its prefetch. */
const poured = 20_000;

/** An event for each queue whose repetition changes nothing. */
function repeatable(
  target: UnitName,
  { members }: Load,
): EventOf<'member.updated'> | EventOf<'counters.changed'> {
  const [member] = members;
  if (!member) throw new Error('the load has no members');
  const envelope = { id: v7(), version: 1, at: new Date().toISOString(), member: member.id };
  if (target === 'search') return { ...envelope, type: 'member.updated', data: {} };
  const counts = {
    connections_since_reset: 0,
    connections_total: 0,
    likedme_since_reset: 0,
    likedme_total: 0,
    views_since_reset: 0,
    views_total: 0,
  };
  return { ...envelope, type: 'counters.changed', data: counts };
}

/** Stops the consumer, fills its queue, and resumes it. */
async function fill(strike: Strike): Promise<void> {
  const { system, target, load } = strike;
  const queue = queueOf(system.stack.namespace, target === 'search' ? 'search.index' : 'updates.live');
  const connection = await connect(system.engineUrl('rabbitmq'));
  try {
    const channel = await connection.createConfirmChannel();
    const event = Buffer.from(JSON.stringify(repeatable(target, load)));
    system.unit(target).kill('SIGSTOP');
    try {
      for (let sent = 0; sent < poured; sent += 1) {
        channel.sendToQueue(queue, event, { persistent: true });
        if (sent % 1_000 === 999) await channel.waitForConfirms();
      }
      await channel.waitForConfirms();
      await wait(strike.ms);
    } finally {
      system.unit(target).kill('SIGCONT');
    }
    await until(
      'the queue is empty again',
      async () => !(await channel.checkQueue(queue)).messageCount,
      120_000,
    );
  } finally {
    await connection.close();
  }
}

/** Every fault by name, in order. */
export const faults = {
  kill: {
    targets: unitNames,
    allows: cutOff,
    async strike({ system, target }) {
      system.unit(target).kill('SIGKILL');
      await wait(awayMs);
    },
  },
  restart: {
    targets: unitNames,
    allows: (target) => (target === 'gateway' ? ['reset'] : []),
    async strike({ system, target }) {
      const { pid, exited } = system.unit(target);
      if (pid === undefined) throw new Error(`${target} does not run`);
      process.kill(pid, 'SIGTERM');
      await exited;
    },
  },
  stop: {
    targets: unitNames,
    // The stopped gateway does not answer.
    allows: (target) => (target === 'gateway' ? ['late'] : []),
    strike: stopped,
  },
  slow: {
    targets: [...engines, 'billing'],
    allows: none,
    async strike(strike) {
      if (strike.target === 'billing') return silent(strike);
      await viaProxy(({ system, target }) => system.way(target).slow(slowMs))(strike);
    },
  },
  tear: {
    targets: unitNames,
    allows: cutOff,
    strike: viaProxy(({ system, target }) => system.way(target).tear(tornEvery)),
  },
  /** What a service asks outside of the system: updates the push services, billing the store. */
  away: {
    targets: ['updates', 'billing'],
    allows: none,
    async strike({ system, target, ms }) {
      const asks = target === 'billing' ? 'billing' : 'updates';
      system.outside.away(asks, true);
      await wait(ms).finally(() => system.outside.away(asks, false));
    },
  },
  fill: { targets: ['search', 'updates'], allows: none, strike: fill },
} as const satisfies Record<string, Fault>;

/** Name of a fault. */
export type FaultName = keyof typeof faults;
