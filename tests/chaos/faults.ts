import type { EventOf } from '@covalence/contract/events';
import { queueOf } from '@covalence/events/topology';
import type { Engine } from '@covalence/stack/engines/engine';
import { serviceNames } from '@covalence/stack/services/service-name';
import { reachesEverything } from '@covalence/stack/services/service-process';
import type { TcpProxy } from '@covalence/testing/tcp-proxy';
import { until } from '@covalence/testing/until';
import { connect } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import { allocate, canLoseOne, isCluster, leadersOf } from './cluster.ts';
import type { Load } from './load/load.ts';
import type { Outcome } from './load/answers.ts';
import type { Replica } from './replicas.ts';
import { isEngine, unitNames, type System, type UnitName } from './system.ts';

/** A fault at one target. */
interface Strike {
  readonly system: System;
  readonly load: Load;
  readonly target: UnitName;
  /** Duration of a fault that lasts, ms. */
  readonly ms: number;
  /** Called when a server of a cluster is lost. */
  readonly onLoss: () => void;
}

/** A fault. */
export interface Fault {
  readonly targets: readonly UnitName[];
  /** Outcomes that clients may see besides 503, with the reason where they are declared. */
  readonly allows: (target: UnitName) => readonly Outcome[];
  /** Whether sockets may receive `reset`, with the reason where it is declared. */
  readonly mayReset?: (target: UnitName) => boolean;
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
const truncated = (target: UnitName): readonly Outcome[] => {
  if (target === 'gateway') return ['reset', 'cut'];
  return isEngine(target) ? [] : ['cut'];
};

const startLimitMs = 180_000;

const untilOneCanBeLost = (engine: Engine) =>
  until(`${engine.name} can lose a server`, () => canLoseOne(engine), startLimitMs);

/** The process of a unit; of a cluster those whose loss hurts most, one after the other, each time when one can be lost again. */
async function* victims({ system, target, onLoss }: Strike) {
  if (!isEngine(target) || !isCluster(system.engines[target])) {
    yield system.unit(target);
    return;
  }
  const engine = system.engines[target];
  const { length } = await leadersOf(engine);
  for (let lost = 0; lost < length; lost += 1) {
    await untilOneCanBeLost(engine);
    const leaders = await leadersOf(engine);
    const leader = leaders[lost] ?? leaders[0];
    if (!leader) throw new Error(`${target} has no leader`);
    onLoss();
    yield leader;
  }
}

async function killed(strike: Strike): Promise<void> {
  for await (const unit of victims(strike)) {
    unit.kill('SIGKILL');
    await wait(awayMs);
  }
}

async function stopped(strike: Strike): Promise<void> {
  for await (const unit of victims(strike)) {
    unit.kill('SIGSTOP');
    await wait(strike.ms).finally(() => unit.kill('SIGCONT'));
  }
}

/** Cuts servers of a cluster off from the others. */
async function separated(strike: Strike): Promise<void> {
  for await (const unit of victims(strike)) {
    const rejoin = await strike.system.cutOff(strike.target, unit);
    try {
      await wait(strike.ms);
    } finally {
      await rejoin();
    }
  }
}

const viaProxy =
  (make: (way: TcpProxy) => void) =>
  async ({ system, target, ms }: Strike): Promise<void> => {
    const ways = system.waysTo(target);
    for (const way of ways) make(way);
    await wait(ms).finally(() => {
      for (const way of ways) way.restore();
    });
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

/** Time that a process without new connections keeps working; `preStop` in k8s/base. */
const preStopMs = 5_000;

/** Ends a process and resolves when the next one runs. */
async function replaced({ pid, exited }: { readonly pid?: number; readonly exited: Promise<string> }) {
  if (pid === undefined) throw new Error('the process does not run');
  process.kill(pid, 'SIGTERM');
  await exited;
}

async function rollOne(system: System, one: Replica): Promise<void> {
  system.retire(one, true);
  await wait(preStopMs);
  await replaced(one.unit);
  const isBack = async () => one.unit.pid !== undefined && (await reachesEverything(one.managementUrl));
  await until(`${one.unit.name} is ready again`, isBack, startLimitMs);
  system.retire(one, false);
}

/** Ends the servers of a cluster, or the processes of a service, one after the other, as a rollout does. */
async function roll({ system, target, onLoss }: Strike): Promise<void> {
  if (isEngine(target)) {
    const engine = system.engines[target];
    await untilOneCanBeLost(engine);
    for (const node of engine.nodes) {
      onLoss();
      await replaced(node);
      await untilOneCanBeLost(engine);
    }
    return;
  }
  for (const one of system.replicas(target)) await rollOne(system, one);
}

/** Upgrades the nodes of Elasticsearch one after the other, as its manual says. Replicas do not move while a node is away. */
async function upgradeNodes(engine: Engine, { system: { upgradeNode }, onLoss }: Strike): Promise<void> {
  const { version: former } = engine;
  await untilOneCanBeLost(engine);
  for (const node of engine.nodes) {
    await allocate(engine, 'primaries');
    upgradeNode(node);
    onLoss();
    await replaced(node);
    await until(`${node.name} is back`, () => node.pid !== undefined, startLimitMs);
    await allocate(engine, null);
    await untilOneCanBeLost(engine);
  }
  if (engine.nodes.some(({ version }) => version === former)) throw new Error(`a node is still ${former}`);
}

/** Runs a process of another release beside one of this release for a while; of Elasticsearch upgrades all nodes. */
async function upgrade(strike: Strike): Promise<void> {
  const { system, target, ms } = strike;
  if (isEngine(target)) return upgradeNodes(system.engines[target], strike);
  const [, one] = system.replicas(target);
  if (!one?.runFrom) throw new Error(`${target} has no second process`);
  one.runFrom(system.otherRelease);
  await rollOne(system, one);
  await wait(ms);
  one.runFrom(undefined);
  await rollOne(system, one);
}

/**
 * A primary that steps down is replaced in a second; one that dies after the election timeout, 10 s by default. Before, its writes
 * wait in vain for a majority.
 */
const elections = [
  { how: 'step down', gatherMs: 1_000, ms: 1_000 },
  { how: 'kill', gatherMs: 1_000, ms: 12_000 },
] as const;

/** Lets MongoDB elect another primary, in both ways. */
async function elect({ system: { replicaSet } }: Strike): Promise<void> {
  if (!replicaSet) throw new Error('the services do not use a replica set');
  for (const election of elections) {
    const met = await replicaSet.elect(election);
    if (!met) throw new Error(`no write was under way at '${election.how}'`);
    await wait(awayMs);
  }
  const unsafe = replicaSet.unsafe();
  if (unsafe.length) throw new Error(unsafe.join(', '));
}

/** Every fault by name, in order. */
export const faults = {
  kill: {
    targets: unitNames,
    allows: truncated,
    strike: killed,
  },
  restart: {
    targets: unitNames,
    allows: (target) => (target === 'gateway' ? ['reset'] : []),
    strike: ({ system, target }) => replaced(system.unit(target)),
  },
  stop: {
    targets: unitNames,
    // The stopped gateway does not answer.
    allows: (target) => (target === 'gateway' ? ['late'] : []),
    strike: stopped,
  },
  /** Of a cluster. */
  cut: {
    targets: ['elasticsearch', 'rabbitmq', 'redis'],
    allows: none,
    // A primary that is cut off acknowledges writes that its replica never gets. The process that wrote them repeats them, but
    // another process may have written to the replica first.
    mayReset: (target) => target === 'redis',
    strike: separated,
  },
  slow: {
    targets: [...engines, 'billing'],
    allows: none,
    async strike(strike) {
      if (strike.target === 'billing') return silent(strike);
      await viaProxy((way) => way.slow(slowMs))(strike);
    },
  },
  tear: {
    targets: unitNames,
    allows: truncated,
    strike: viaProxy((way) => way.tear(tornEvery)),
  },
  /** Services outside of the system are unavailable: the push services for updates, the store for billing. */
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
  elect: { targets: ['mongodb'], allows: none, strike: elect },
  /** Of services with two processes, and of clusters. */
  roll: { targets: unitNames, allows: none, strike: roll },
  /** With two processes, or a cluster, and another release. */
  upgrade: { targets: ['elasticsearch', ...serviceNames], allows: none, strike: upgrade },
} as const satisfies Record<string, Fault>;

/** Name of a fault. */
export type FaultName = keyof typeof faults;
