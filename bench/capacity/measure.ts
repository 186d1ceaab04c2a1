import { newEvent } from '@covalence/events/new-event';
import { Redis } from 'ioredis';
import { availableParallelism, loadavg } from 'node:os';
import { run } from '../call-costs.ts';
import { effort } from '../effort.ts';
import { engineUrl, say } from '../engines.ts';
import type { Make } from '../everyday-calls.ts';
import { median, sum } from '../measurement.ts';
import { connectPublisher } from '../publisher.ts';
import { startSockets } from '../socket-pool.ts';
import type { System } from '../system.ts';
import { growing, type Measured } from './measured.ts';
import { callKinds, ofComponents, type CallKind, type Component } from './components.ts';
import { folderBytes, readIndexBytes, readStored } from './storage.ts';
import { idleCores, memoryByComponent, timedAbove, startCapacitySystem } from './system.ts';

const slow: readonly CallKind[] = ['POST /photo', 'sign-in', 'POST /members'];
const socketsOfAMember = 18;

/** Cores that each component uses while nobody calls. */
type Idle = Readonly<Record<Component, number>>;

/** Events that the services of a system have published. */
async function published(system: System): Promise<number> {
  const counts = await Promise.all(
    [...system.processes().keys()].map(async (name) => {
      const { MANAGEMENT_PORT: port } = system.environmentOf(name);
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const lines = text.matchAll(/^events_total\{[^}]*outcome="published"[^}]*\} (\d+)/gm);
      return sum(Array.from(lines, ([, count]) => Number(count)));
    }),
  );
  return sum(counts);
}

const countOf = (kind: CallKind) => (slow.includes(kind) ? effort.slowCalls : effort.quickCalls);

/** Warms a kind of call up, then measures what one costs, the median of three rounds, and its events. */
async function costOf(system: System, idle: Idle, kind: CallKind, make: Make) {
  const count = countOf(kind);
  await run(make, count, count);
  const before = await published(system);
  const rounds: Idle[] = [];
  for (let round = 0; round < effort.rounds; round += 1)
    rounds.push(await timedAbove(idle, system, () => run(make, (2 + round) * count, count)));
  const costs = ofComponents((component) => median(rounds.map((used) => used[component])) / count);
  const shown = Object.entries(costs).map(([component, ms]) => `${component} ${ms.toFixed(2)}`);
  say(`capacity: ${kind}: ${shown.join(', ')}`);
  return { costs, events: ((await published(system)) - before) / count / effort.rounds };
}

/** Repeats the measurement until Elasticsearch, which compiles its hot code for minutes, gets no faster. */
async function steadyCostOf(system: System, idle: Idle, kind: CallKind, make: Make) {
  let last = await costOf(system, idle, kind, make);
  for (let round = 1; round < effort.steadyRounds; round += 1) {
    const next = await costOf(system, idle, kind, make);
    const isSteady = next.costs.elasticsearch > 0.9 * last.costs.elasticsearch;
    last = next;
    if (isSteady) break;
  }
  return last;
}

const event = () =>
  newEvent({ type: 'pair.liked', member: 9, version: 1, data: { other: 8 }, at: new Date() });

/** RabbitMQ's time for an event, ms, and the bytes of its body. */
async function costOfEvent(system: System, idle: Idle) {
  const publisher = await connectPublisher(system.namespace);
  const publish: Make = () => publisher.publish(event());
  try {
    await run(publish, 0, effort.quickCalls);
    const { rabbitmq } = await timedAbove(idle, system, () => run(publish, 0, 5 * effort.quickCalls));
    return { rabbitmq: rabbitmq / 5 / effort.quickCalls, bytes: Buffer.byteLength(JSON.stringify(event())) };
  } finally {
    await publisher.close();
  }
}

/** Memory of an open socket in the gateway, bytes. */
async function gatewaySocket(system: System): Promise<number> {
  const clients = startSockets(1);
  const urls = [new URL('/ws/updates', system.urlOf('gateway').replace(/^http/, 'ws')).href];
  const hello = Array.from({ length: socketsOfAMember }, () => system.members.map((one) => one.accessToken));
  try {
    await clients.open(urls, hello[0] ?? []);
    const before = memoryByComponent(system).gateway;
    await clients.open(urls, hello.slice(1).flat());
    return Math.max(0, memoryByComponent(system).gateway - before) / hello.slice(1).flat().length;
  } finally {
    clients.stop();
  }
}

async function redisBytes(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

/** Measures the mean bytes of a stored document, and of an added member in all collections of some services. */
async function storage(system: System, whileImporting: () => Promise<void>): Promise<Measured['mongodb']> {
  const before = await readStored(system);
  await whileImporting();
  const after = await readStored(system);
  const members = (found: typeof before) => found.get('profile.members')?.documents ?? 0;
  const added = members(after) - members(before);
  /** Of each member in the databases of some services. */
  const slope = (services: readonly string[]) => {
    const of = (what: 'data' | 'index') =>
      sum(
        [...after]
          .filter(([name]) => services.some((service) => name.startsWith(`${service}.`)))
          .map(([name, stored]) => stored[what] - (before.get(name)?.[what] ?? 0)),
      ) / added;
    return { data: of('data'), index: of('index') };
  };
  const each = (...names: readonly string[]) => {
    const of = (what: 'data' | 'index') =>
      sum(
        names.map((name) => {
          const stored = before.get(name);
          if (!stored?.documents) throw new Error(`nothing is stored in ${name}`);
          return stored[what] / stored.documents;
        }),
      );
    return { data: of('data'), index: of('index') };
  };
  return {
    member: slope(['profile', 'search', 'billing']),
    account: slope(['auth']),
    pair: each('profile.pairs'),
    view: each('profile.views'),
    message: each('profile.messages'),
    signIn: each('auth.families'),
  };
}

/** Measures what the sizing is calculated from. */
export async function measureCapacity(): Promise<Measured> {
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  say('capacity: starting the services …');
  const capacity = await startCapacitySystem();
  const { system } = capacity;
  const redis = new Redis(engineUrl('redis'));
  try {
    const idle = await idleCores(system);
    const empty = await redisBytes(redis);
    const { calls, close } = await capacity.prepareCalls();
    const points = {} as Record<CallKind, Measured['calls'][CallKind]>;
    const events = {} as Record<CallKind, number>;
    const steady = callKinds.filter((each) => !growing.includes(each));
    say('capacity: warming up …');
    // The first calls of any kind compile code of the services and engines.
    for (const kind of steady) await run(calls[kind], 0, countOf(kind));
    for (const kind of steady) {
      const found = await costOf(system, idle, kind, calls[kind]);
      points[kind] = [{ members: system.members.length, costs: found.costs }];
      events[kind] = found.events;
    }
    const redisOfADay = ((await redisBytes(redis)) - empty) / system.members.length;
    const photos = folderBytes(system.environmentOf('profile')['PHOTO_DIR'] ?? '');
    const uploads = effort.couples + (2 + effort.rounds) * effort.slowCalls;
    say('capacity: storage …');
    const mongodb = await storage(system, () => capacity.importPeople());
    const index: Measured['index'] = [];
    for (const members of [effort.fewMembers, effort.manyMembers]) {
      say(`capacity: ${members} members …`);
      await capacity.fillUpTo(members);
      index.push({ members, bytes: await readIndexBytes(system) });
      for (const kind of growing) {
        const found = await steadyCostOf(system, idle, kind, calls[kind]);
        points[kind] = [...(points[kind] ?? []), { members, costs: found.costs }];
        events[kind] = found.events;
      }
    }
    await close();
    const memory = memoryByComponent(system);
    return {
      at: `${new Date().toISOString().slice(0, 16)}Z`,
      cores: availableParallelism(),
      load,
      calls: points,
      events,
      event: await costOfEvent(system, idle),
      idle,
      memory,
      mongodb,
      index,
      redis: redisOfADay,
      photo: photos / uploads,
      gatewaySocket: await gatewaySocket(system),
    };
  } finally {
    redis.disconnect();
    await capacity.stop();
  }
}
