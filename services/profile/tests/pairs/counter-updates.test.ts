import type { Event } from '@covalence/contract/events';
import { eventSchema } from '@covalence/contract/events';
import { createLogger } from '@covalence/runtime/logger';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { createCounterNews } from '../../src/pairs/counter-updates.ts';

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
  const told: Event[] = [];
  let reads = 0;
  const news = createCounterNews({
    read: (member) => {
      reads += 1;
      if (member === 4) return Promise.reject(new Error('away'));
      return Promise.resolve({ ...counters, likedme_total: state.likes });
    },
    presence: {
      read: (ids) => Promise.resolve(new Map(ids.map((id) => [id, { seen: null, present: id !== 3 }]))),
    },
    publisher: { publish: (event) => Promise.resolve(void told.push(eventSchema.parse(event))) },
    logger: createLogger('test', 'silent'),
    clock: () => new Date(),
  });
  return { news, told, readCount: () => reads };
};

describe('news of counters', () => {
  it('gathers what comes at once, and tells the counters as they are when told', async () => {
    const state = { likes: 0 };
    const { news, told } = start(state);
    for (let like = 1; like <= 20; like += 1) {
      state.likes = like;
      news.soon([1]);
    }
    await news.close();
    expect(told).toMatchObject([{ type: 'counters.changed', member: 1, data: { likedme_total: 20 } }]);
    news.soon([1]);
    await until('told again', () => told.length === 2);
  });

  it('tells and counts nothing for those who hold no socket', async () => {
    const { news, told, readCount } = start();
    news.soon([3]);
    news.soon([]);
    await news.close();
    expect([told.length, readCount()]).toEqual([0, 0]);
  });

  it('one who cannot be counted keeps nobody else from hearing', async () => {
    const { news, told } = start();
    news.soon([4, 1, 2]);
    await news.close();
    expect(told.map(({ member }) => member)).toEqual([1, 2]);
  });
});
