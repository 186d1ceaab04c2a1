import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { array, assert, nat, property, record } from 'fast-check';
import { createUpdateOrder, type LiveUpdate } from '../src/update-order.ts';

const frame = (id: string, type = 'like'): LiveUpdate => ({
  id,
  type,
  at: '2026-03-01T12:00:00.000Z',
  data: {},
});

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

const idsOf = (updates: readonly LiveUpdate[]) => updates.map(({ id }) => id);

describe('the order of live updates', () => {
  it('starts at the first ready and continues from its number', () => {
    const order = createUpdateOrder();
    expect(order.take(frame('a-7', 'ready'))).toEqual([]);
    expect(order.lastId).toBe('a-7');
    expect(idsOf(order.take(frame('a-8')))).toEqual(['a-8']);
    expect(idsOf(order.take(frame('a-8')))).toEqual([]);
  });

  it('holds back new frames until the missed ones have arrived', () => {
    const order = createUpdateOrder('a-3');
    order.take(frame('a-5', 'ready'));
    expect(order.take(frame('a-6'))).toEqual([]);
    expect(idsOf(order.take(frame('a-4')))).toEqual(['a-4']);
    expect(order.lastId).toBe('a-4');
    expect(idsOf(order.take(frame('a-5')))).toEqual(['a-5', 'a-6']);
    expect(order.lastId).toBe('a-6');
  });

  it('starts again after a reset, without the frames that it covers', () => {
    const order = createUpdateOrder('a-3');
    order.take(frame('b-5', 'ready'));
    expect(order.take(frame('b-6'))).toEqual([]);
    expect(order.take(frame('b-7'))).toEqual([]);
    expect(idsOf(order.take(frame('b-6', 'reset')))).toEqual(['b-6', 'b-7']);
    expect(idsOf(order.take(frame('b-8')))).toEqual(['b-8']);
  });

  it('delivers frames that the history does not keep, and resumes at their position', () => {
    const order = createUpdateOrder('a-3-01-ff');
    expect(order.lastId).toBe('a-3-01');
    order.take(frame('a-3-01', 'ready'));
    expect(idsOf(order.take(frame('a-3-01-aa', 'presence')))).toEqual(['a-3-01-aa']);
    expect(order.lastId).toBe('a-3-01');
    expect(idsOf(order.take(frame('a-4-02')))).toEqual(['a-4-02']);
    order.begin();
    order.take(frame('a-6-04', 'ready'));
    expect(order.take(frame('a-6-04-bb', 'presence'))).toEqual([]);
    expect(idsOf(order.take(frame('a-5-03')))).toEqual(['a-5-03']);
    expect(idsOf(order.take(frame('a-6-04')))).toEqual(['a-6-04', 'a-6-04-bb']);
    expect(order.take(frame('a-5-03-cc', 'presence'))).toEqual([]);
  });

  it('waits for a reset when the history lost the last frame and reused its number', () => {
    const order = createUpdateOrder('a-3-01');
    order.take(frame('a-3-02', 'ready'));
    expect(order.take(frame('a-4-03'))).toEqual([]);
    expect(idsOf(order.take(frame('a-3-02', 'reset')))).toEqual(['a-3-02', 'a-4-03']);
    expect(idsOf(order.take(frame('a-4-03')))).toEqual([]);
  });

  it('stops waiting when a store has its lost last frame again', () => {
    const order = createUpdateOrder('a-3-01');
    order.take(frame('a-2-00-ff', 'ready'));
    expect(order.take(frame('a-2-00-aa', 'presence'))).toEqual([]);
    expect(idsOf(order.take(frame('a-3-01')))).toEqual([]);
    expect(idsOf(order.take(frame('a-4-02')))).toEqual(['a-4-02']);
    expect(order.lastId).toBe('a-4-02');
  });

  it('does not carry held frames to the next socket', () => {
    const order = createUpdateOrder('a-3');
    order.take(frame('b-5', 'ready'));
    expect(order.take(frame('b-6'))).toEqual([]);
    order.begin();
    order.take(frame('a-3', 'ready'));
    expect(idsOf(order.take(frame('a-4')))).toEqual(['a-4']);
  });

  it('keeps the position of ready and reset, which have their own ids', () => {
    const order = createUpdateOrder();
    order.take(frame('a-3-01-aa', 'ready'));
    expect(order.lastId).toBe('a-3-01');
    order.begin();
    // Missed frames begin at the head of `ready`.
    order.take(frame('a-3-01-bb', 'ready'));
    expect(idsOf(order.take(frame('a-4-02')))).toEqual(['a-4-02']);
    order.begin();
    order.take(frame('a-4-02-cc', 'ready'));
    expect(idsOf(order.take(frame('b-6-04-dd', 'reset')))).toEqual(['b-6-04-dd']);
    expect(order.lastId).toBe('b-6-04');
    expect(idsOf(order.take(frame('b-6-04')))).toEqual([]);
    expect(idsOf(order.take(frame('b-7-05')))).toEqual(['b-7-05']);
  });

  it('ignores the ready of a renewed token', () => {
    const order = createUpdateOrder('a-3');
    order.take(frame('a-3', 'ready'));
    order.take(frame('a-9', 'ready'));
    expect(idsOf(order.take(frame('a-4')))).toEqual(['a-4']);
  });

  it('delivers every frame once and in order, wherever sockets are lost', () => {
    const sockets = array(record({ news: nat(4), early: nat(3), told: nat(10) }), {
      minLength: 1,
      maxLength: 8,
    });
    assert(
      property(sockets, (losses) => {
        const order = createUpdateOrder('e-0');
        const told: string[] = [];
        let head = 0;
        for (const { news, early, told: most } of losses) {
          head += news;
          const last = Number(order.lastId?.slice(2));
          order.begin();
          order.take(frame(`e-${head}`, 'ready'));
          // New frames may arrive before missed ones.
          const sent = [...numbers(head + 1, early), ...numbers(last + 1, head - last)];
          head += early;
          for (const number of sent.slice(0, most)) told.push(...idsOf(order.take(frame(`e-${number}`))));
        }
        const last = Number(order.lastId?.slice(2));
        expect(told).toEqual(Array.from({ length: last }, (_, at) => `e-${at + 1}`));
      }),
      fuzzing(),
    );
  });
});
