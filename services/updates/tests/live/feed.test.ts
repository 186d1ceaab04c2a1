import { fuzzing } from '@covalence/testing/fuzzing';
import { createLogger } from '@covalence/runtime/logger';
import { describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, boolean, constant, nat, oneof, record } from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { Feed } from '../../src/live/feed.ts';
import {
  firstTag,
  frameId,
  frameOf,
  parseFrameId,
  ephemeralId,
  type Position,
} from '../../src/live/position.ts';

const epoch = '0123456789abcdef';
const tagAt = (number: number) => (number ? number.toString(16).padStart(8, '0') : firstTag);
const at = (number: number): Position => ({ epoch, number, tag: tagAt(number) });

/** A history in memory whose reads take a turn of the event loop and can fail. */
function memoryHistory() {
  const payloads: string[] = [];
  let failures = 0;
  return {
    append: () => payloads.push(`{"n":${payloads.length + 1}}`),
    failNext: () => (failures += 1),
    head: () => at(payloads.length),
    frame: (number: number) => frameOf(frameId(at(number)), payloads[number - 1] ?? ''),
    read: async (after?: Position) => {
      await turn();
      if (failures > 0) {
        failures -= 1;
        throw new Error('away');
      }
      const known = !after || after.number <= payloads.length;
      return {
        head: at(payloads.length),
        messages: known
          ? payloads
              .map((payload, index) => ({ tag: tagAt(index + 1), payload, eventId: '' }))
              .slice(after?.number ?? Infinity)
          : undefined,
      };
    },
  };
}

/** A feed of such a history, which reports the ids of its frames. */
const feedOf = ({ read }: ReturnType<typeof memoryHistory>, sent: (id: string) => unknown) =>
  new Feed(
    1,
    { send: (frame) => sent((JSON.parse(frame.toString('utf8', frame.indexOf('{'))) as { id: string }).id) },
    {
      history: { readAfter: (_member, after) => read(after) },
      clock: () => new Date(),
      logger: createLogger('test', 'silent'),
      historyRetryMs: 1,
    },
  );

const step = oneof(
  record({ kind: constant('publish' as const), heard: boolean() }),
  record({ kind: constant('repeat' as const), back: nat(5) }),
  record({ kind: constant('resume' as const), back: nat(8) }),
  record({ kind: constant('fail' as const) }),
  record({ kind: constant('lose' as const) }),
  record({ kind: constant('gap' as const) }),
  record({ kind: constant('turn' as const) }),
);

describe('a feed', () => {
  it('sends everything after its start once, whatever is lost, repeated or resumed', async () => {
    await assert(
      asyncProperty(nat(5), array(step, { maxLength: 40, size: 'max' }), async (before, steps) => {
        const history = memoryHistory();
        for (let index = 0; index < before; index += 1) history.append();
        const sent: number[] = [];
        const feed = feedOf(history, (id) => sent.push(parseFrameId(id)?.number ?? -1));
        const start = history.head();
        feed.start(start);
        let lowest = start.number;
        const resumes: Promise<void>[] = [];
        const offer = (number: number) => feed.offer(at(number), history.frame(number));
        for (const one of steps) {
          const head = history.head().number;
          if (one.kind === 'publish') {
            history.append();
            if (one.heard) offer(head + 1);
          } else if (one.kind === 'repeat') {
            if (head > one.back) offer(head - one.back);
          } else if (one.kind === 'resume') {
            const after = Math.max(0, start.number - one.back);
            lowest = Math.min(lowest, after);
            resumes.push(feed.resume(at(after)));
          } else if (one.kind === 'fail') history.failNext();
          else if (one.kind === 'lose') feed.pause();
          else if (one.kind === 'gap') void feed.catchUp();
          else await turn();
        }
        await Promise.all(resumes);
        await feed.catchUp();
        const expected = Array.from(
          { length: history.head().number - lowest },
          (_none, index) => lowest + index + 1,
        );
        expect(sent.toSorted((a, b) => a - b)).toEqual(expected.filter((number) => number > 0));
        const own = sent.filter((number) => number > start.number);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }),
      fuzzing(300),
    );
  });

  it('reads on when a message arrived before it started', async () => {
    const history = memoryHistory();
    const sent: string[] = [];
    const feed = feedOf(history, (id) => sent.push(id));
    const head = history.head();
    history.append();
    feed.offer(at(1), history.frame(1));
    feed.start(head);
    await feed.catchUp();
    expect(sent).toEqual([frameId(at(1))]);
  });

  it('sends nothing after a disconnect until it knows that nothing is missing', async () => {
    const history = memoryHistory();
    const sent: string[] = [];
    const feed = feedOf(history, (id) => sent.push(id));
    for (let index = 0; index < 2; index += 1) history.append();
    feed.start(at(2));
    feed.pause();
    // Another message replaced the second during the disconnect; the third arrives first.
    const other = { ...at(3), tag: 'ffffffff' };
    feed.offer(other, frameOf(frameId(other), '{"n":3}'));
    expect(sent).toEqual([]);
    history.append();
    await feed.catchUp();
    expect(sent).toEqual([frameId(at(3))]);
  });

  it('sends an ephemeral message after what it is reading, with an id that a client can resume from', async () => {
    const history = memoryHistory();
    const sent: string[] = [];
    const feed = feedOf(history, (id) => sent.push(id));
    feed.sendEphemeral('aaaaaaaa', '{"n":0}');
    for (let index = 0; index < 3; index += 1) history.append();
    feed.start(at(3));
    const resumed = feed.resume(at(0));
    feed.sendEphemeral('bbbbbbbb', '{"n":0}');
    await resumed;
    feed.sendEphemeral('cccccccc', '{"n":0}');
    history.append();
    feed.offer(at(4), history.frame(4));
    const places = [1, 2, 3].map((number) => frameId(at(number)));
    const passed = ['bbbbbbbb', 'cccccccc'].map((tag) => ephemeralId(at(3), tag));
    expect(sent).toEqual([...places, ...passed, frameId(at(4))]);
    expect(passed.map(parseFrameId)).toEqual([at(3), at(3)]);
  });

  it('parses its own ids and no others', () => {
    expect(parseFrameId(frameId(at(42)))).toEqual(at(42));
    expect(parseFrameId(`${frameId(at(42))}-x`)).toBeUndefined();
    for (const id of [
      '',
      '42',
      `${epoch}-`,
      `${epoch}-1`,
      `${epoch}-x-${firstTag}`,
      `${epoch}--1-${firstTag}`,
      `x${frameId(at(1))}`,
      `${frameId(at(1))} `,
    ]) {
      expect(parseFrameId(id)).toBeUndefined();
    }
  });
});
