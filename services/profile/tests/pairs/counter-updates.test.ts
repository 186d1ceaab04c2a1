import { eventSchema, type Event } from '@covalence/contract/events';
import { createLogger } from '@covalence/runtime/logger';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { createCounterUpdates } from '../../src/pairs/counter-updates.ts';

const counters = {
  connections_since_reset: 0,
  connections_total: 0,
  likedme_since_reset: 0,
  likedme_total: 0,
  views_since_reset: 0,
  views_total: 0,
};

/** News of which the counts are what `state` says at the moment; 3 holds no socket, 4 cannot be counted. */
const start = (state = { likes: 0 }) => {
  const sent: Event[] = [];
  const time = { now: Date.now(), perRead: 0 };
  let reads = 0;
  const updates = createCounterUpdates({
    read: (member) => {
      reads += 1;
      time.now += time.perRead;
      if (member === 4) return Promise.reject(new Error('away'));
      return Promise.resolve({ ...counters, likedme_total: state.likes });
    },
    presence: {
      read: (ids) => Promise.resolve(new Map(ids.map((id) => [id, { seen: null, present: id !== 3 }]))),
    },
    publisher: { publish: (event) => Promise.resolve(void sent.push(eventSchema.parse(event))) },
    logger: createLogger('test', 'silent'),
    clock: () => new Date(time.now),
  });
  return { updates, sent, time, readCount: () => reads };
};

describe('counter updates', () => {
  it('combine changes within a short time, and carry the counters at the time of sending', async () => {
    const state = { likes: 0 };
    const { updates, sent, time } = start(state);
    for (let like = 1; like <= 20; like += 1) {
      state.likes = like;
      updates.schedule([1]);
    }
    await updates.close();
    expect(sent).toMatchObject([{ type: 'counters.changed', member: 1, data: { likedme_total: 20 } }]);
    updates.schedule([1]);
    await until('sent again', () => sent.length === 2);
    time.perRead = 60_000;
    updates.schedule([1]);
    await until('sent slowly', () => sent.length === 3);
    updates.schedule([1]);
    await updates.close();
    expect(sent.length).toBe(4);
  });

  it('send and count nothing for members without an open socket', async () => {
    const { updates, sent, readCount } = start();
    updates.schedule([3]);
    updates.schedule([]);
    await updates.close();
    expect([sent.length, readCount()]).toEqual([0, 0]);
  });

  it('of a member whose counting takes long come less often, and those of others at once', async () => {
    const { updates, sent, time } = start();
    time.perRead = 1_000;
    updates.schedule([1]);
    await until('sent', () => sent.length === 1);
    time.perRead = 0;
    updates.schedule([1, 2]);
    await until('the other one', () => sent.length === 2);
    time.now += 8_999;
    updates.schedule([5]);
    await until('another one', () => sent.length === 3);
    time.now += 1;
    await until('the first again', () => sent.length === 4);
    expect(sent.map(({ member }) => member)).toEqual([1, 2, 5, 1]);
  });

  it('reach the others when counting one member fails', async () => {
    const { updates, sent } = start();
    updates.schedule([4, 1, 2]);
    await updates.close();
    expect(sent.map(({ member }) => member)).toEqual([1, 2]);
  });
});
