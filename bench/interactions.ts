import { once } from 'node:events';
import { WebSocket } from 'ws';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { measurement, p99, type Measurement } from './measurement.ts';
import { bearer, post, send, startSystem, type BenchMember, type System } from './system.ts';

const { men, women, listeners, warmingWomen } = effort;
const likesAtOnce = 16;
const goalMs = 50;
const frameLimitMs = 10_000;

/** Likes a member through the gateway. */
export const like = (system: System, by: BenchMember, to: BenchMember) =>
  post(system, '/like', by, { profileid: to.id });

/** Opens a live-updates socket and waits for `ready`. `next` resolves with the arrival time of a frame. */
async function openSocket(system: System, { accessToken }: BenchMember) {
  const socket = new WebSocket(new URL('/ws/updates', system.urlOf('gateway').replace(/^http/, 'ws')));
  const waiting = new Map<string, (at: number) => void>();
  await once(socket, 'open');
  socket.on('message', (message: Buffer) => {
    const at = performance.now();
    const frame = JSON.parse(message.toString('utf8')) as { type: string; data: { profileid?: number } };
    waiting.get(`${frame.type} ${frame.data.profileid ?? ''}`)?.(at);
  });
  const next = (type: string, profileid?: number): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const limit = setTimeout(() => reject(new Error(`no ${type} frame arrived`)), frameLimitMs);
    waiting.set(`${type} ${profileid ?? ''}`, resolve);
    return promise.finally(() => clearTimeout(limit));
  };
  const ready = next('ready');
  socket.send(accessToken);
  await ready;
  return { next, close: () => socket.close() };
}

/** Sequential likes: ms to the answer, and from then to the frame at the other member (0 if it arrived first). */
async function latencies(system: System, likers: readonly BenchMember[], liked: readonly BenchMember[]) {
  const times: { readonly answer: number; readonly frame: number }[] = [];
  for (const woman of liked) {
    const socket = await openSocket(system, woman);
    for (const man of likers) {
      const arrival = socket.next('like', man.id);
      const begun = performance.now();
      await like(system, man, woman);
      const answered = performance.now();
      times.push({ answer: answered - begun, frame: Math.max(0, (await arrival) - answered) });
    }
    socket.close();
  }
  return times;
}

/** Runs work on items by parallel workers; resolves with the items per second. */
async function rate<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const left = [...items];
  const begun = performance.now();
  const loop = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: likesAtOnce }, loop));
  return (items.length * 1_000) / (performance.now() - begun);
}

/** Measures likes through the gateway with one process of each service. */
export async function benchInteractions(): Promise<readonly Measurement[]> {
  say('interactions: starting the services …');
  const system = await startSystem(2 * men, ['updates', 'gateway']);
  try {
    const likers = system.members.filter((_one, at) => at % 2).slice(0, men);
    const all = system.members.filter((_one, at) => at % 2 === 0);
    const liked = all.slice(0, women);
    say('interactions: warming up …');
    await latencies(system, likers, all.slice(women, women + warmingWomen));
    say('interactions: one after the other …');
    const times = await latencies(system, likers, liked.slice(0, listeners));
    say('interactions: at once …');
    const pairs = likers.flatMap((man) => liked.slice(listeners).map((woman) => [man, woman] as const));
    const activity = `${system.urlOf('gateway')}/members/self/activity`;
    const reads = await rate(pairs, ([man]) => send(activity, { headers: bearer(man) }));
    const likes = await rate(pairs, ([man, woman]) => like(system, man, woman));
    const [answers, frames] = [times.map(({ answer }) => answer), times.map(({ frame }) => frame)];
    return [
      measurement(
        'p99 from a like’s answer to the other’s socket',
        'ms',
        p99(frames),
        goalMs,
        'at most 50 ms',
      ),
      measurement('p99 of a like’s answer', 'ms', p99(answers), goalMs),
      measurement('likes, × reads of the counters', '1/s', likes, reads),
    ];
  } finally {
    await system.stop();
  }
}
