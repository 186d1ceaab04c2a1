import { createLogger } from '@covalence/runtime/logger';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { startPeriodic } from '../src/periodic.ts';

/** A job whose work has a part each time that `part` is resolved, under a lease that another process may take. */
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
    logger: createLogger('test', 'silent'),
  });
  const next = () => {
    const { resolve } = part;
    part = Promise.withResolvers();
    resolve();
  };
  return { job, lease, state, next };
};

describe('periodic work', () => {
  it('that has many parts ends with the one under way when the process does', async () => {
    const { job, lease, state, next } = start();
    await until('a part is under way', () => state.parts === 1);
    const closed = job.close();
    next();
    await closed;
    expect([state, lease.released]).toEqual([{ parts: 1, rounds: 1 }, true]);
  });

  it('leaves its parts to the process that has the lease now', async () => {
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
});
