import { effort } from './effort.ts';
import { openSocket, type BenchSocket } from './live-socket.ts';
import { measurement, p99, type Measurement } from './measurement.ts';
import { say } from './say.ts';
import { startSystem, type BenchMember, type System } from './system.ts';

/** `listeners` are women who listen, and whose likes come one after the other. */
const { men, women, listeners, warming } = effort.likes;
const likesAtOnce = 16;
const messagesEach = 40;
/** Milliseconds from the answer to the other's socket. */
const goal = 50;

/** Calls through the gateway, as a member. */
async function call(system: System, by: BenchMember, path: string, body?: object): Promise<void> {
  const headers = { Authorization: `Bearer ${by.accessToken}`, 'Content-Type': 'application/json' };
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${system.urlOf('gateway')}${path}`, { headers, ...sent });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

interface Told {
  /** Milliseconds that the caller waited, and then until the other's socket had it: 0 where it was there before. */
  readonly answer: number;
  readonly after: number;
}

/** One call, and when the other hears of it. */
async function told(
  work: () => Promise<void>,
  socket: BenchSocket,
  frame: string,
  by: BenchMember,
): Promise<Told> {
  const heard = socket.next(frame, by.id);
  const begun = performance.now();
  await work();
  const answered = performance.now();
  return { answer: answered - begun, after: Math.max(0, (await heard) - answered) };
}

type Couple = readonly [by: BenchMember, to: BenchMember];

const like = (system: System, [by, to]: Couple) => call(system, by, '/like', { profileid: to.id });

/** How many pieces of work a second some workers get done. */
async function rate<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<number> {
  const left = [...list];
  const begun = performance.now();
  const loop = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: likesAtOnce }, loop));
  return (list.length * 1_000) / (performance.now() - begun);
}

const slowest = (list: readonly Told[], part: keyof Told) => p99(list.map((one) => one[part]));

async function latencies(system: System, him: readonly BenchMember[], her: readonly BenchMember[]) {
  const likes: Told[] = [];
  const messages: Told[] = [];
  for (const woman of her) {
    const socket = await openSocket(system.urlOf('gateway'), woman.accessToken);
    for (const man of him) likes.push(await told(() => like(system, [man, woman]), socket, 'like', man));
    const [man] = him;
    if (!man) continue;
    // A connection may write.
    await like(system, [woman, man]);
    for (let number = 0; number < messagesEach; number += 1) {
      const text = { profileid: woman.id, text: `Hello ${number}` };
      messages.push(await told(() => call(system, man, '/messages', text), socket, 'message', man));
    }
    socket.close();
  }
  return { likes, messages };
}

/** Measures likes and messages through the gateway: one process of each part, sockets open. */
export async function benchInteractions(): Promise<readonly Measurement[]> {
  say('interactions: starting the services …');
  const system = await startSystem(2 * men, ['updates', 'gateway']);
  try {
    const he = system.members.filter((_one, at) => at % 2).slice(0, men);
    const all = system.members.filter((_one, at) => at % 2 === 0);
    const she = all.slice(0, women);
    say('interactions: warming up …');
    await latencies(system, he, all.slice(women, women + warming));
    say('interactions: one after the other …');
    const { likes, messages } = await latencies(system, he, she.slice(0, listeners));
    say('interactions: at once …');
    const couples = he.flatMap((man) => she.slice(listeners).map((woman): Couple => [man, woman]));
    const read = await rate(couples, ([by]) => call(system, by, '/members/self/activity'));
    const liked = await rate(couples, (couple) => like(system, couple));
    const most = `at most ${goal} ms` as const;
    return [
      measurement(
        'p99 from a like’s answer to the other’s socket',
        'ms',
        slowest(likes, 'after'),
        goal,
        most,
      ),
      measurement('p99 of a like’s answer', 'ms', slowest(likes, 'answer'), goal, 'no goal'),
      measurement('p99 of a message’s answer', 'ms', slowest(messages, 'answer'), goal, 'no goal'),
      measurement(
        'p99 from a message’s answer to the socket',
        'ms',
        slowest(messages, 'after'),
        goal,
        'no goal',
      ),
      measurement('likes, × reads of the counters', '1/s', liked, read, 'no goal'),
    ];
  } finally {
    await system.stop();
  }
}
