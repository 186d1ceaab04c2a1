import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { always, eachPart, startPeriodic } from '../src/periodic.ts';

const logger = createLogger('test', 'silent');

/** A job that handles an item when `part` resolves; another process may take its lease. */
const start = () => {
  const lease = { held: true, released: false, asked: 0 };
  const state = { parts: 0, rounds: 0 };
  let part = Promise.withResolvers<void>();
  const job = startPeriodic({
    name: 'a-job',
    everyMs: 10,
    lease: {
      hold: () => {
        lease.asked += 1;
        return Promise.resolve(lease.held);
      },
      release: () => Promise.resolve(void (lease.released = true)),
    },
    work: async (mayGoOn) => {
      state.rounds += 1;
      while (await mayGoOn()) {
        state.parts += 1;
        await part.promise;
      }
    },
    logger,
    metrics: createMetrics('test'),
  });
  const next = () => {
    const { resolve } = part;
    part = Promise.withResolvers();
    resolve();
  };
  return { job, lease, state, next };
};

describe('periodic work', () => {
  it('stops after the current item at shutdown', async () => {
    const { job, lease, state, next } = start();
    await until('a part is under way', () => state.parts === 1);
    const closed = job.close();
    next();
    await closed;
    expect([state, lease.released]).toEqual([{ parts: 1, rounds: 1 }, true]);
  });

  it('stops when another process has the lease', async () => {
    const { job, lease, state, next } = start();
    await until('a part is under way', () => state.parts === 1);
    lease.held = false;
    next();
    await until('the job has looked again in vain', () => lease.asked > 3);
    expect(state).toEqual({ parts: 1, rounds: 1 });
    lease.held = true;
    await until('a round later', () => state.parts === 2);
    const closed = job.close();
    next();
    await closed;
    expect(state.rounds).toBe(2);
  });

  it('counts rounds with failures', async () => {
    const metrics = createMetrics('test');
    const outcomes = [() => Promise.reject(new Error('all of it')), () => Promise.resolve(2)];
    let rounds = 0;
    const job = startPeriodic({
      name: 'a-job',
      everyMs: 1,
      lease: { hold: () => Promise.resolve(true), release: () => Promise.resolve() },
      work: () => outcomes[(rounds += 1) - 1]?.() ?? Promise.resolve(0),
      logger,
      metrics,
    });
    await until('two more', () => rounds >= 4);
    await job.close();
    expect((await metrics.failedRounds.get()).values).toEqual([{ labels: { work: 'a-job' }, value: 2 }]);
  });

  it('handles every item, also after a failure, while it may continue', async () => {
    const done: string[] = [];
    const work = (part: string) => {
      if (part === 'broken') return Promise.reject(new Error('no'));
      return Promise.resolve(done.push(part));
    };
    const parts = ['one', 'broken', 'two', 'three'];
    expect(await eachPart(parts, work, { mayGoOn: always, logger, left: 'left' })).toBe(1);
    const mayGoOn = () => Promise.resolve(done.length < 5);
    expect(await eachPart(parts, work, { mayGoOn, logger, left: 'left' })).toBe(1);
    expect(done).toEqual(['one', 'two', 'three', 'one', 'two']);
  });
});
