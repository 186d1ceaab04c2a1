import { newEvent } from '@covalence/events/new-event';
import { Redis } from 'ioredis';
import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { effort } from './effort.ts';
import { engineUrl, say } from './engines.ts';
import { nodeOptions, startLiveSystem, type LiveSystem } from './live-system.ts';
import { pacedTimes } from './load.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { connectPublisher } from './publisher.ts';
import { machineMs } from './raw-sockets.ts';
import { perProcess, startSockets, type SocketPool } from './socket-pool.ts';

const { sockets, settleMs } = effort;
const perSecond = 1_000;
const seconds = 2 * effort.seconds;
const broadcasts = 2 * effort.rounds - 1;
/** Two heartbeats of every socket. */
const idleSeconds = 3 * effort.idleSeconds;
const numbers = Array.from({ length: sockets }, (_one, index) => index + 1);

/** Sends the n-th event to one socket, or to all of them. */
type Send = (number: number) => Promise<unknown>;

/** Sends events at a fixed rate; resolves with the ms from each event to its frame. */
async function latencies(clients: SocketPool, send: Send): Promise<number[]> {
  const sent = new Map<number, number>();
  const frames = clients.expect(perSecond * seconds);
  await pacedTimes(perSecond, seconds, (index) => {
    sent.set(index + 1, machineMs());
    return send(index + 1);
  });
  return (await frames).map(([number, at]) => at - (sent.get(number) ?? at));
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

/** Opens all sockets; resolves with the resident memory of one in KiB, and how many opened per second. */
async function openAll(clients: SocketPool, { urls, hello, memory }: Server) {
  // The first sockets load code and open connections.
  await clients.open(urls, hello.slice(0, 200));
  await clients.close();
  await wait(settleMs);
  const before = await memory();
  const begun = performance.now();
  await clients.open(urls, hello);
  const opened = sockets / ((performance.now() - begun) / 1_000);
  await wait(2 * settleMs);
  return { memory: ((await memory()) - before) / sockets / 1_024, opened };
}

/** CPU time of a second in which nothing happens but heartbeats, ms. */
async function idleTime({ processorTime }: Server): Promise<number> {
  const before = await processorTime();
  await wait(idleSeconds * 1_000);
  return ((await processorTime()) - before) / idleSeconds;
}

/** Memory of a socket, latencies, and CPU time of an event with one socket for each member. The sockets stay open. */
async function measureServer(clients: SocketPool, server: Server) {
  const { memory, opened } = await openAll(clients, server);
  if (effort.warmUp) await latencies(clients, server.send);
  const before = await server.processorTime();
  const times = await latencies(clients, server.send);
  const cost = ((await server.processorTime()) - before) / times.length;
  const latency = `p50 ${median(times).toFixed(2)} ms, p99 ${p99(times).toFixed(2)} ms`;
  say(
    `  ${memory.toFixed(1)} KiB a socket, ${Math.round(opened)} opened per second; event to frame ${latency}`,
  );
  return { memory, opened, times, cost };
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

/** Starts a process of the reference server. */
async function startBareProcess() {
  const child = fork(new URL('bare-sockets.ts', import.meta.url), [engineUrl('redis')], {
    execArgv: [...process.execArgv, ...nodeOptions],
  });
  const { port } = (await ask(child)) as { port: number };
  return {
    url: `ws://127.0.0.1:${port}`,
    usage: async () => (await ask(child, 'usage')) as { memory: number; processorTime: number },
    stop: () => child.disconnect(),
  };
}

/** Starts a reference server, of several processes where one cannot have the sockets. */
async function startBare(namespace: string, redis: Redis): Promise<Server & { readonly stop: () => void }> {
  const count = Math.ceil(sockets / perProcess);
  const processes = await Promise.all(Array.from({ length: count }, startBareProcess));
  const usage = async (of: 'memory' | 'processorTime') => {
    const all = await Promise.all(processes.map((each) => each.usage()));
    return all.reduce((sum, each) => sum + each[of], 0);
  };
  return {
    urls: processes.map(({ url }) => url),
    hello: numbers.map((number) => channelOf(namespace, number)),
    memory: () => usage('memory'),
    processorTime: () => usage('processorTime'),
    send: (number) => redis.publish(channelOf(namespace, 1 + (number % sockets)), frameText(number)),
    stop: () => processes.forEach((each) => each.stop()),
  };
}

/** Sends messages that all open sockets receive; resolves with the median ms until the last frame. */
async function broadcast(clients: SocketPool, send: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round <= broadcasts; round += 1) {
    await wait(settleMs);
    const frames = clients.expect(sockets);
    const begun = machineMs();
    await send();
    const arrived = await frames;
    // The first round warms up.
    if (round) durations.push(Math.max(...arrived.map(([, at]) => at)) - begun);
  }
  await clients.close();
  return median(durations);
}

/** The memory of a socket in other processes: it depends on when a process compiles and collects garbage. */
async function otherMemories(clients: SocketPool, namespace: string, redis: Redis) {
  const memories = { own: [] as number[], reference: [] as number[] };
  for (let round = 1; round < effort.rounds; round += 1) {
    const system = await startLiveSystem();
    memories.own.push((await openAll(clients, await serverOf(system, () => Promise.resolve()))).memory);
    await clients.close();
    await system.stop();
    const bare = await startBare(namespace, redis);
    memories.reference.push((await openAll(clients, bare)).memory);
    await clients.close();
    bare.stop();
  }
  return memories;
}

/** Measures live updates: one process with 10,000 sockets, and a bare server. */
export async function benchSockets(): Promise<readonly Measurement[]> {
  say(`sockets: starting the service and ${sockets} clients …`);
  const system = await startLiveSystem();
  const { urls, namespace } = system;
  const clients = startSockets(sockets);
  const publisher = await connectPublisher(namespace);
  const redis = new Redis(engineUrl('redis'));
  const like = (member: number, other: number) =>
    publisher.publish(newEvent({ type: 'pair.liked', member, version: 1, data: { other }, at: new Date() }));
  try {
    say('sockets: one for each member …');
    const server = await serverOf(system, (number) => like(number, 1 + (number % sockets)));
    const own = await measureServer(clients, server);
    say('sockets: nothing but heartbeats …');
    const idle = await idleTime(server);
    await clients.close();
    say('sockets: the bare server …');
    const bare = await startBare(namespace, redis);
    const reference = await measureServer(clients, bare);
    await clients.close();
    const channel = channelOf(namespace, 1);
    await clients.open(
      bare.urls,
      numbers.map(() => channel),
    );
    const bareWhole = await broadcast(clients, () => redis.publish(channel, frameText(1)));
    bare.stop();
    say('sockets: memory of other processes …');
    const others = await otherMemories(clients, namespace, redis);
    say('sockets: one message to all …');
    const member = sockets + 1;
    const hello = await Promise.all(numbers.map(() => system.token(member)));
    await clients.open(urls, hello);
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
      measurement('sockets opened per second, × bare', '1/s', own.opened, reference.opened),
      measurement('processor time of a second of heartbeats, × one core', 'ms', idle, 1_000),
      latency('p50', median),
      latency('p99', p99),
      measurement('processor time of an event, × bare', 'ms', own.cost, reference.cost),
      measurement('one message to all sockets, × bare', 'ms', whole, bareWhole, 'at most 120 ms'),
    ];
  } finally {
    redis.disconnect();
    await publisher.close();
    clients.stop();
    await system.stop();
  }
}
