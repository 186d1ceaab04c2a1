import { connectBroker } from '@covalence/events/broker';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { until } from '@covalence/testing/until';
import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { effort } from './effort.ts';
import { nodeOptions, startLiveSystem, type LiveSystem } from './live-system.ts';
import { now } from './machine-clock.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import { pacedTimes } from './paced-load.ts';
import { say } from './say.ts';
import type { Arrivals, Order } from './socket-clients.ts';

const { sockets, processes, settleMs } = effort;
const perSecond = 1_000;
const seconds = 2 * effort.seconds;
const broadcasts = 2 * effort.rounds - 1;
const kib = 1_024;

const inKib = (memory: number) => memory.toFixed(1);

const spread = (times: readonly number[]) =>
  `event to frame p50 ${median(times).toFixed(2)} ms, p99 ${p99(times).toFixed(2)} ms`;

/** Sends an order to the clients and resolves with their answer. */
const order = (clients: ChildProcess, what: Order): Promise<unknown> => ask(clients, what);

/** Begins something for the n-th time, resolves when it is under way. */
type Send = (number: number) => Promise<unknown>;

/** Sends at a steady rate; returns how long each took until its frame had come, in ms. */
async function latencies(clients: ChildProcess, send: Send): Promise<number[]> {
  const total = perSecond * seconds;
  const sent = new Map<number, number>();
  const frames = order(clients, { do: 'expect', frames: total });
  await pacedTimes(perSecond, seconds, (index) => {
    sent.set(index + 1, now());
    return send(index + 1);
  });
  const arrived = (await frames) as Arrivals;
  return arrived.map(([number, at]) => at - (sent.get(number) ?? at));
}

/** The same with the processor time in ms that an event took, of the server's processes. */
async function costed(processorTime: () => Promise<number>, clients: ChildProcess, send: Send) {
  const before = await processorTime();
  const times = await latencies(clients, send);
  return { times, cost: ((await processorTime()) - before) / times.length };
}

const publisherOf = async (system: LiveSystem) => {
  const broker = connectBroker({
    url: system.rabbitUrl,
    namespace: system.namespace,
    logger: createLogger('bench', 'silent'),
  });
  const publisher = createPublisher(broker, createMetrics('bench'));
  await until('the broker', () => broker.manager.isConnected());
  return {
    like: (actor: number, other: number) =>
      publisher.publish(
        newEvent({ type: 'pair.liked', member: actor, version: 1, data: { other }, at: new Date() }),
      ),
    async close() {
      await publisher.close();
      await broker.close();
    },
  };
};

type Publisher = Awaited<ReturnType<typeof publisherOf>>;

const numbers = Array.from({ length: sockets }, (_one, index) => index + 1);

/** What sockets are opened at, and what its processes take of memory, in bytes. */
interface Server {
  readonly urls: readonly string[];
  readonly hello: readonly string[];
  readonly memory: () => number | Promise<number>;
}

/** Opens every socket; returns what one adds to the resident memory, in KiB. */
async function openAll(clients: ChildProcess, { urls, hello, memory }: Server): Promise<number> {
  // Code and connections that the first sockets bring are no memory of a socket.
  await order(clients, { do: 'open', urls, hello: hello.slice(0, 200) });
  await order(clients, { do: 'close' });
  await wait(settleMs);
  const before = await memory();
  await order(clients, { do: 'open', urls, hello });
  await wait(2 * settleMs);
  return ((await memory()) - before) / sockets / kib;
}

const asMembers = async (system: LiveSystem): Promise<Server> => ({
  urls: system.urls,
  hello: await Promise.all(numbers.map((member) => system.token(member))),
  memory: () => system.memory(),
});

/** As many members as sockets: memory, and how long an event takes. */
async function manyMembers(system: LiveSystem, clients: ChildProcess, publisher: Publisher) {
  const memory = await openAll(clients, await asMembers(system));
  const like: Send = (number) => publisher.like(number, 1 + (number % sockets));
  if (effort.warmUp) await latencies(clients, like);
  const { times, cost } = await costed(() => system.processorTime(), clients, like);
  await order(clients, { do: 'close' });
  return { memory, times, cost };
}

/** A frame as the service makes it, and the channel of its reader. */
const bareFrame = (namespace: string, number: number) => {
  const id = `0123456789abcdef-${number}-01234567`;
  const frame = { id, type: 'like', at: new Date(), data: { profileid: number } };
  return { channel: `${namespace}:bare:${1 + (number % sockets)}`, text: JSON.stringify(frame) };
};

/** A bare server, started. */
async function startBare({ redisUrl, rabbitUrl, namespace }: LiveSystem, queue: string) {
  const child = fork(new URL('bare-sockets.ts', import.meta.url), [redisUrl, rabbitUrl, queue], {
    execArgv: [...process.execArgv, ...nodeOptions],
  });
  const { port } = (await ask(child)) as { port: number };
  const usage = async () => (await ask(child, 'usage')) as { memory: number; processorTime: number };
  const server: Server = {
    urls: [`ws://127.0.0.1:${port}`],
    hello: numbers.map((number) => `${namespace}:bare:${number}`),
    memory: async () => (await usage()).memory,
  };
  return { child, usage, server };
}

/** What a socket adds in processes of their own: one alone says little, because it depends on when it collects and compiles. */
async function memories(system: LiveSystem, clients: ChildProcess) {
  const own: number[] = [];
  const reference: number[] = [];
  for (let round = 1; round < effort.rounds; round += 1) {
    const another = await startLiveSystem(sockets + 1_000, processes);
    own.push(await openAll(clients, await asMembers(another)));
    await order(clients, { do: 'close' });
    await another.stop();
    const queue = `${system.namespace}.memory${round}`;
    const { child, server } = await startBare(system, queue);
    reference.push(await openAll(clients, server));
    await order(clients, { do: 'close' });
    child.disconnect();
    const broker = await connect(system.rabbitUrl);
    await (await broker.createChannel()).deleteQueue(queue);
    await broker.close();
  }
  return { own, reference };
}

/** The same for the bare server, told by Redis alone, and then by the broker as events are. */
async function bare(system: LiveSystem, clients: ChildProcess) {
  const { redisUrl, rabbitUrl, namespace } = system;
  const queue = `${namespace}.bare`;
  const { child, usage, server } = await startBare(system, queue);
  const { urls } = server;
  const each = await openAll(clients, server);
  const redis = new Redis(redisUrl);
  const broker = await connect(rabbitUrl, { noDelay: true });
  const channel = await broker.createConfirmChannel();
  const byRedis: Send = (number) => {
    const frame = bareFrame(namespace, number);
    return redis.publish(frame.channel, frame.text);
  };
  const byBroker: Send = (number) =>
    new Promise((resolve, reject) => {
      const frame = bareFrame(namespace, number);
      const body = Buffer.from(`${frame.channel} ${frame.text}`);
      channel.sendToQueue(queue, body, { persistent: true }, (error) => (error ? reject(error) : resolve(0)));
    });
  if (effort.warmUp) await latencies(clients, byRedis);
  const { times, cost } = await costed(async () => (await usage()).processorTime, clients, byRedis);
  const brokered = await latencies(clients, byBroker);
  await order(clients, { do: 'close' });
  const { channel: shared, text } = bareFrame(namespace, 1);
  await order(clients, { do: 'open', urls, hello: numbers.map(() => shared) });
  const whole = await tellAll(clients, () => redis.publish(shared, text));
  redis.disconnect();
  await order(clients, { do: 'close' });
  child.disconnect();
  await channel.deleteQueue(queue);
  await broker.close();
  return { memory: each, times, cost, brokered, whole: median(whole) };
}

/** Sends one message to every socket that is open, again and again, and resolves with how long the last frame took each time. */
async function tellAll(clients: ChildProcess, send: () => Promise<unknown>, after?: () => Promise<void>) {
  const whole: number[] = [];
  for (let round = 0; round <= broadcasts; round += 1) {
    await wait(settleMs);
    const frames = order(clients, { do: 'expect', frames: sockets });
    const begun = now();
    await send();
    const arrived = (await frames) as Arrivals;
    await after?.();
    // The first round is to warm up.
    if (round) whole.push(Math.max(...arrived.map(([, at]) => at)) - begun);
  }
  return whole;
}

/** All sockets of one member: one message to all of them. */
async function oneMessage(system: LiveSystem, clients: ChildProcess, publisher: Publisher) {
  const member = sockets + 1;
  const hello = await Promise.all(numbers.map(() => system.token(member)));
  await order(clients, { do: 'open', urls: system.urls, hello });
  const delays: number[] = [];
  await system.longestDelay();
  const whole = await tellAll(
    clients,
    () => publisher.like(1, member),
    async () => void delays.push(await system.longestDelay()),
  );
  await order(clients, { do: 'close' });
  return { whole: median(whole), delay: median(delays.slice(1)) };
}

/** Measures the live updates: one process with 10,000 sockets, against a bare server in the same run. */
export async function benchSockets(): Promise<readonly Measurement[]> {
  say(`sockets: starting the service and ${sockets} clients …`);
  const system = await startLiveSystem(sockets + 1_000, processes);
  const clients = fork(new URL('socket-clients.ts', import.meta.url));
  const publisher = await publisherOf(system);
  try {
    say('sockets: one member each …');
    const own = await manyMembers(system, clients, publisher);
    say(`  ${own.memory.toFixed(1)} KiB a socket; ${spread(own.times)}`);
    say('sockets: the bare server …');
    const reference = await bare(system, clients);
    say(`  ${reference.memory.toFixed(1)} KiB a socket; ${spread(reference.times)}`);
    say(`  behind a quorum queue ${spread(reference.brokered)}`);
    say('sockets: memory of other processes …');
    const others = await memories(system, clients);
    const memory = [own.memory, ...others.own];
    const bareMemory = [reference.memory, ...others.reference];
    say(
      `  ${memory.map(inKib).join(', ')}; the bare server ${bareMemory.map(inKib).join(', ')} KiB a socket`,
    );
    say('sockets: one message to all …');
    const { whole, delay } = await oneMessage(system, clients, publisher);
    say(
      `  ${whole.toFixed(0)} ms, the bare server ${reference.whole.toFixed(0)} ms; loop ${delay.toFixed(0)} ms`,
    );
    return [
      measurement('memory of a socket, × bare', 'KiB', median(memory), median(bareMemory), 'at most 10 KiB'),
      measurement(
        'p50 from event to frame at 1,000/s, × bare',
        'ms',
        median(own.times),
        median(reference.times),
        'ratio at most 2',
      ),
      measurement(
        'p99 from event to frame at 1,000/s, × bare',
        'ms',
        p99(own.times),
        p99(reference.times),
        'ratio at most 2',
      ),
      measurement(
        'p50 from event to frame, × bare behind a quorum queue',
        'ms',
        median(own.times),
        median(reference.brokered),
        'no goal',
      ),
      measurement(
        'p99 from event to frame, × bare behind a quorum queue',
        'ms',
        p99(own.times),
        p99(reference.brokered),
        'no goal',
      ),
      measurement('processor time of an event, × bare', 'ms', own.cost, reference.cost, 'no goal'),
      measurement('one message to all sockets, × bare', 'ms', whole, reference.whole, 'at most 120 ms'),
      measurement('longest loop delay meanwhile, × 20 ms', 'ms', delay, 20, 'at most 20 ms'),
    ];
  } finally {
    await publisher.close();
    clients.kill();
    await system.stop();
  }
}
