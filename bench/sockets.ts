import { newEvent } from '@covalence/events/new-event';
import { Redis } from 'ioredis';
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { effort } from './effort.ts';
import { engineUrl, say } from './engines.ts';
import { nodeOptions, startLiveSystem, type LiveSystem } from './live-system.ts';
import { pacedTimes } from './load.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { connectPublisher } from './publisher.ts';
import { machineMs } from './raw-sockets.ts';
import type { Arrivals, Order } from './socket-clients.ts';

const { sockets, settleMs } = effort;
const perSecond = 1_000;
const seconds = 2 * effort.seconds;
const broadcasts = 2 * effort.rounds - 1;
const numbers = Array.from({ length: sockets }, (_one, index) => index + 1);

/** Sends the n-th event to one socket, or to all of them. */
type Send = (number: number) => Promise<unknown>;

const order = (clients: ChildProcess, what: Order): Promise<unknown> => ask(clients, what);

/** Sends events at a fixed rate; resolves with the ms from each event to its frame. */
async function latencies(clients: ChildProcess, send: Send): Promise<number[]> {
  const sent = new Map<number, number>();
  const frames = order(clients, { do: 'expect', frames: perSecond * seconds });
  await pacedTimes(perSecond, seconds, (index) => {
    sent.set(index + 1, machineMs());
    return send(index + 1);
  });
  return ((await frames) as Arrivals).map(([number, at]) => at - (sent.get(number) ?? at));
}

/** A server with a socket protocol: the service, or the reference. */
interface Server {
  readonly urls: readonly string[];
  /** The first message of each socket. */
  readonly hello: readonly string[];
  /** Resident memory in bytes. */
  readonly memory: () => number | Promise<number>;
  /** CPU time in ms. */
  readonly processorTime: () => Promise<number>;
  readonly send: Send;
}

/** Opens all sockets; resolves with the resident memory of one in KiB. */
async function openAll(clients: ChildProcess, { urls, hello, memory }: Server): Promise<number> {
  // The first sockets load code and open connections.
  await order(clients, { do: 'open', urls, hello: hello.slice(0, 200) });
  await order(clients, { do: 'close' });
  await wait(settleMs);
  const before = await memory();
  await order(clients, { do: 'open', urls, hello });
  await wait(2 * settleMs);
  return ((await memory()) - before) / sockets / 1_024;
}

/** Memory of a socket, latencies, and CPU time of an event with one socket for each member. */
async function measureServer(clients: ChildProcess, server: Server) {
  const memory = await openAll(clients, server);
  if (effort.warmUp) await latencies(clients, server.send);
  const before = await server.processorTime();
  const times = await latencies(clients, server.send);
  const cost = ((await server.processorTime()) - before) / times.length;
  await order(clients, { do: 'close' });
  const latency = `p50 ${median(times).toFixed(2)} ms, p99 ${p99(times).toFixed(2)} ms`;
  say(`  ${memory.toFixed(1)} KiB a socket; event to frame ${latency}`);
  return { memory, times, cost };
}

const serverOf = async (system: LiveSystem, send: Send): Promise<Server> => ({
  urls: system.urls,
  hello: await Promise.all(numbers.map((member) => system.token(member))),
  memory: () => system.memory(),
  processorTime: () => system.processorTime(),
  send,
});

const channelOf = (namespace: string, number: number) => `${namespace}:bare:${number}`;

/** A frame as the service makes it. */
const frameText = (number: number) =>
  JSON.stringify({
    id: `0123456789abcdef-${number}-01234567`,
    type: 'like',
    at: new Date(),
    data: { profileid: number },
  });

/** Starts a reference server. */
async function startBare(namespace: string, redis: Redis): Promise<Server & { readonly stop: () => void }> {
  const child = fork(new URL('bare-sockets.ts', import.meta.url), [engineUrl('redis')], {
    execArgv: [...process.execArgv, ...nodeOptions],
  });
  const { port } = (await ask(child)) as { port: number };
  const usage = async () => (await ask(child, 'usage')) as { memory: number; processorTime: number };
  return {
    urls: [`ws://127.0.0.1:${port}`],
    hello: numbers.map((number) => channelOf(namespace, number)),
    memory: async () => (await usage()).memory,
    processorTime: async () => (await usage()).processorTime,
    send: (number) => redis.publish(channelOf(namespace, 1 + (number % sockets)), frameText(number)),
    stop: () => child.disconnect(),
  };
}

/** Sends messages that all open sockets receive; resolves with the median ms until the last frame. */
async function broadcast(clients: ChildProcess, send: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round <= broadcasts; round += 1) {
    await wait(settleMs);
    const frames = order(clients, { do: 'expect', frames: sockets });
    const begun = machineMs();
    await send();
    const arrived = (await frames) as Arrivals;
    // The first round warms up.
    if (round) durations.push(Math.max(...arrived.map(([, at]) => at)) - begun);
  }
  await order(clients, { do: 'close' });
  return median(durations);
}

/** The memory of a socket in other processes: it depends on when a process compiles and collects garbage. */
async function otherMemories(clients: ChildProcess, namespace: string, redis: Redis) {
  const memories = { own: [] as number[], reference: [] as number[] };
  for (let round = 1; round < effort.rounds; round += 1) {
    const system = await startLiveSystem();
    memories.own.push(await openAll(clients, await serverOf(system, () => Promise.resolve())));
    await order(clients, { do: 'close' });
    await system.stop();
    const bare = await startBare(namespace, redis);
    memories.reference.push(await openAll(clients, bare));
    await order(clients, { do: 'close' });
    bare.stop();
  }
  return memories;
}

/** Measures live updates: one process with 10,000 sockets, and a bare server. */
export async function benchSockets(): Promise<readonly Measurement[]> {
  say(`sockets: starting the service and ${sockets} clients …`);
  const system = await startLiveSystem();
  const { urls, namespace } = system;
  const clients = fork(new URL('socket-clients.ts', import.meta.url));
  const publisher = await connectPublisher(namespace);
  const redis = new Redis(engineUrl('redis'));
  const like = (member: number, other: number) =>
    publisher.publish(newEvent({ type: 'pair.liked', member, version: 1, data: { other }, at: new Date() }));
  try {
    say('sockets: one for each member …');
    const server = await serverOf(system, (number) => like(number, 1 + (number % sockets)));
    const own = await measureServer(clients, server);
    say('sockets: the bare server …');
    const bare = await startBare(namespace, redis);
    const reference = await measureServer(clients, bare);
    const channel = channelOf(namespace, 1);
    await order(clients, { do: 'open', urls: bare.urls, hello: numbers.map(() => channel) });
    const bareWhole = await broadcast(clients, () => redis.publish(channel, frameText(1)));
    bare.stop();
    say('sockets: memory of other processes …');
    const others = await otherMemories(clients, namespace, redis);
    say('sockets: one message to all …');
    const member = sockets + 1;
    const hello = await Promise.all(numbers.map(() => system.token(member)));
    await order(clients, { do: 'open', urls, hello });
    const whole = await broadcast(clients, () => like(1, member));
    const memories = [
      median([own.memory, ...others.own]),
      median([reference.memory, ...others.reference]),
    ] as const;
    const latency = (percentile: string, of: (times: readonly number[]) => number) =>
      measurement(
        `${percentile} from event to frame at 1,000/s, × bare`,
        'ms',
        of(own.times),
        of(reference.times),
        'ratio at most 2',
      );
    return [
      measurement('memory of a socket, × bare', 'KiB', ...memories, 'at most 10 KiB'),
      latency('p50', median),
      latency('p99', p99),
      measurement('processor time of an event, × bare', 'ms', own.cost, reference.cost),
      measurement('one message to all sockets, × bare', 'ms', whole, bareWhole, 'at most 120 ms'),
    ];
  } finally {
    redis.disconnect();
    await publisher.close();
    clients.kill();
    await system.stop();
  }
}
