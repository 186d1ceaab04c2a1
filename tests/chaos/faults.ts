import type { EventOf } from '@covalence/contract/events';
import { queueOf } from '@covalence/events/topology';
import { until } from '@covalence/testing/until';
import { connect } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Load } from './load/load.ts';
import type { Outcome } from './load/answers.ts';
import { isEngine, unitNames, type System, type UnitName } from './system.ts';

/** What is done to one target. */
interface Strike {
  readonly system: System;
  readonly load: Load;
  readonly target: UnitName;
  /** How long what lasts shall last. */
  readonly ms: number;
}

/** Something that goes wrong. */
interface Fault {
  readonly targets: readonly UnitName[];
  /** What clients may see beside 503, and why it cannot be otherwise is said where it is declared. */
  readonly allows: (target: UnitName) => readonly Outcome[];
  /** Resolves when nothing is held down any more; what was ended is for the watch to start. */
  readonly strike: (strike: Strike) => Promise<void>;
}

const engines = unitNames.filter(isEngine);

/** What was killed stays away a little, so that the load meets its absence. */
const awayMs = 3_000;

const none = (): readonly Outcome[] => [];

/**
 * The only gateway there is takes its connections with it. An answer of a service that dies while it is on its way is cut
 * off, because it cannot be taken back; nothing may pass for a whole one.
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

/** A store that answers, but late: less than any limit, more than anything is used to. */
const slowMs = 400;
/** Of so many pieces of answers one is broken. */
const tornEvery = 15;

/** Events poured into a queue whose consumer stands still; more than it takes in a batch, or is ever handed at once. */
const poured = 20_000;

/** An event of each queue that changes nothing however often it comes: news of a member who is as the index has them, and one like told many times. */
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

/** Stops the consumer, fills its queue, and lets it go on. */
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

/** Everything that is tried, by name, in the order in which it is tried. */
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
    // The only gateway there is says nothing while it stands still.
    allows: (target) => (target === 'gateway' ? ['late'] : []),
    strike: stopped,
  },
  slow: {
    targets: engines,
    allows: none,
    strike: viaProxy(({ system, target }) => system.way(target).slow(slowMs)),
  },
  tear: {
    targets: unitNames,
    allows: cutOff,
    strike: viaProxy(({ system, target }) => system.way(target).tear(tornEvery)),
  },
  fill: { targets: ['search', 'updates'], allows: none, strike: fill },
} as const satisfies Record<string, Fault>;

/** Name of a fault. */
export type FaultName = keyof typeof faults;
