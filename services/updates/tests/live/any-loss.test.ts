import { createUpdateOrder, type LiveUpdate } from '@covalence/client/update-order';
import { createLogger } from '@covalence/runtime/logger';
import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constant, nat, oneof, record, type Arbitrary } from 'fast-check';
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Feed } from '../../src/live/feed.ts';
import type { Passage } from '../../src/live/history-store.ts';
import { firstTag, frameId, frameOf, parseFrameId, type Position } from '../../src/live/position.ts';
import { duplicatesIn } from '../duplicates.ts';

interface Message {
  readonly event: number;
  readonly tag: string;
  readonly payload: string;
  readonly eventId: string;
}

/** A history that behaves as the scripts on Redis, and can lose its last messages, or all of them, and get them again. */
function losingHistory() {
  let epochs = 0;
  let messages: Message[] = [];
  let lost: number[] = [];
  let events = 0;
  let isAway = false;
  const epoch = () => epochs.toString(16).padStart(16, '0');
  const at = (number: number): Position => ({
    epoch: epoch(),
    number,
    tag: messages[number - 1]?.tag ?? firstTag,
  });
  const head = () => at(messages.length);
  const read = (after?: Position): Passage => {
    const isKnown = !after || (after.epoch === epoch() && at(after.number).tag === after.tag);
    const isThere = isKnown && (after?.number ?? 0) <= messages.length;
    return { head: head(), messages: isThere ? messages.slice(after?.number ?? Infinity) : undefined };
  };
  const write = (event: number) => {
    const tag = createHash('sha1').update(`${head().tag}${event}`).digest('hex').slice(0, 8);
    const payload = `{"type":"like","event":${event}}`;
    messages.push({ event, tag, payload, eventId: String(event) });
    return { at: head(), frame: frameOf(frameId(head()), payload) };
  };
  return {
    head,
    messages: () => messages,
    append: () => write((events += 1)),
    /** Loses the last messages. */
    lose(count: number) {
      const gone = messages.splice(Math.max(0, messages.length - count));
      lost.unshift(...gone.map(({ event }) => event));
    },
    loseAll() {
      epochs += 1;
      messages = [];
      lost = [];
    },
    /** A process writes its messages again; earlier ones are of another process, which may follow. */
    replay: (from: number) => lost.splice(from).map(write),
    isAway: () => isAway,
    /** Whether this process can reach the history. */
    setAway: (away: boolean) => (isAway = away),
    async readAfter(_member: number, after?: Position): Promise<Passage> {
      await turn();
      if (isAway) throw new Error('away');
      return read(after);
    },
  };
}

/** Reads the head of the history, with retries. */
async function headOf(history: ReturnType<typeof losingHistory>): Promise<Position> {
  for (;;) {
    const found = await history.readAfter(1).catch(() => undefined);
    if (found) return found.head;
  }
}

/** A device over all its sockets: it reads some frames at a time, and loses those not read when a socket ends. */
function createDevice(history: ReturnType<typeof losingHistory>) {
  const order = createUpdateOrder();
  const received: LiveUpdate[] = [];
  let feed: Feed | undefined;
  let unread: LiveUpdate[] = [];
  const context = {
    history,
    clock: () => new Date(),
    logger: createLogger('test', 'silent'),
    historyRetryMs: 1,
  };
  const read = (count = Infinity) => {
    for (const update of unread.splice(0, count)) received.push(...order.take(update));
  };

  /** Opens like a session: joins the channel before reading the head, sends `ready` first, and resumes right after. */
  const open = async () => {
    feed?.stop();
    unread = [];
    const own: LiveUpdate[] = [];
    unread = own;
    const receive = (frame: Buffer) =>
      void own.push(JSON.parse(frame.toString('utf8', frame.indexOf('{'))) as LiveUpdate);
    const opened = new Feed(1, { send: receive }, context);
    feed = opened;
    const after = order.lastId;
    order.begin();
    const head = await headOf(history);
    if (feed !== opened) return;
    opened.start(head);
    receive(frameOf(opened.freshId(), '{"type":"ready"}'));
    if (after !== undefined) await opened.resume(parseFrameId(after));
  };

  return { open, read, received, feed: () => feed, lastId: () => order.lastId };
}

type Step =
  | { readonly do: 'publish' | 'reconnect' | 'turn' | 'back' | 'gap' }
  | { readonly do: 'replay'; readonly from: number }
  | { readonly do: 'read'; readonly count: number }
  | { readonly do: 'break'; readonly lost: number | 'all' };

const simple = (what: Exclude<Step['do'], 'read' | 'break' | 'replay'>, weight: number) => ({
  arbitrary: constant({ do: what }),
  weight,
});
const lost = oneof({ arbitrary: nat(2), weight: 5 }, constant('all' as const));
const step: Arbitrary<Step> = oneof(
  simple('publish', 6),
  simple('reconnect', 3),
  simple('turn', 4),
  // The store is reachable and subscribed again; then each socket is notified.
  simple('back', 2),
  simple('gap', 2),
  { arbitrary: record({ do: constant('replay' as const), from: nat(1) }), weight: 2 },
  { arbitrary: record({ do: constant('read' as const), count: nat(4) }), weight: 4 },
  // The store disconnects, and may have lost messages when it is back.
  { arbitrary: record({ do: constant('break' as const), lost }), weight: 2 },
);

/** A message of another process replaces a lost one, and the next one arrives before the socket is notified of the gap. */
const otherInItsPlace: Step[] = [
  { do: 'publish' },
  { do: 'read', count: 4 },
  { do: 'break', lost: 1 },
  { do: 'publish' },
  { do: 'back' },
  { do: 'publish' },
  { do: 'gap' },
];

/** Lost messages are written again between `ready` and the resume after it. */
const writtenAgain: Step[] = [
  { do: 'publish' },
  { do: 'read', count: 4 },
  { do: 'break', lost: 1 },
  { do: 'back' },
  { do: 'reconnect' },
  { do: 'turn' },
  { do: 'replay', from: 0 },
];

/** Missed messages are lost between `ready` and the resume after it, and written again later. */
const lostInBetween: Step[] = [
  { do: 'publish' },
  { do: 'reconnect' },
  { do: 'turn' },
  { do: 'break', lost: 1 },
  { do: 'back' },
  { do: 'turn' },
  { do: 'replay', from: 0 },
];

/** Another message precedes those that are written again, and the last one sent has its position again. */
const anotherBefore: Step[] = [
  { do: 'publish' },
  { do: 'publish' },
  { do: 'read', count: 4 },
  { do: 'break', lost: 2 },
  { do: 'publish' },
  { do: 'replay', from: 1 },
  { do: 'replay', from: 0 },
  { do: 'back' },
  { do: 'gap' },
];

describe('a client that follows its updates', () => {
  it(
    'gets each update once and in order, or a reset, whatever sockets and the store lose',
    async () => {
      await assert(
        asyncProperty(array(step, { maxLength: 40, size: 'max' }), async (steps) => {
          const history = losingHistory();
          const device = createDevice(history);
          await device.open();
          device.read();
          const opening: Promise<void>[] = [];
          const hear = ({ at, frame }: { at: Position; frame: Buffer }) => {
            if (!history.isAway()) device.feed()?.offer(at, frame);
          };
          for (const one of steps) {
            if (one.do === 'publish') hear(history.append());
            else if (one.do === 'read') device.read(one.count);
            else if (one.do === 'reconnect') opening.push(device.open());
            else if (one.do === 'turn') await turn();
            else if (one.do === 'back') history.setAway(false);
            else if (one.do === 'gap') void device.feed()?.catchUp();
            else if (one.do === 'break') {
              history.setAway(true);
              device.feed()?.pause();
              if (one.lost === 'all') history.loseAll();
              else history.lose(one.lost);
            } else if (one.do === 'replay') history.replay(one.from).forEach(hear);
          }
          history.setAway(false);
          await device.feed()?.catchUp();
          await Promise.all(opening);
          hear(history.append());
          await device.feed()?.catchUp();
          device.read();

          expect(duplicatesIn(device.received)).toEqual([]);
          const ids = device.received.map(({ id }) => id);
          const reset = device.received.findLastIndex(({ type }) => type === 'reset');
          const place = reset < 0 ? 0 : (parseFrameId(ids[reset] ?? '')?.number ?? 0);
          const { epoch } = history.head();
          const stored = history
            .messages()
            .map(({ tag }, index) => frameId({ epoch, number: index + 1, tag }))
            .slice(place);
          expect(ids.slice(reset + 1)).toEqual(stored);
        }),
        {
          ...fuzzing(2_000),
          examples: [[otherInItsPlace], [writtenAgain], [lostInBetween], [anotherBefore]],
        },
      );
    },
    fuzzingMs(20_000),
  );
});
