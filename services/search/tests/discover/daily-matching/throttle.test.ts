import { describe, expect, it } from '@jest/globals';
import { createThrottle } from '../../../src/discover/daily-matching/throttle.ts';

/** Keeps the processor busy. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the turns of a long job', () => {
  it('let others go on in between', async () => {
    const next = createThrottle(() => Promise.resolve(true));
    const order: string[] = [];
    setTimeout(() => order.push('a search'), 0);
    work(11);
    expect(await next()).toBe(true);
    order.push('the job');
    expect(order).toEqual(['a search', 'the job']);
  });

  it('end where the job may not go on, which is not asked every time', async () => {
    let asked = 0;
    const next = createThrottle(() => {
      asked += 1;
      return Promise.resolve(false);
    });
    let turns = 0;
    do {
      work(11);
      turns += 1;
    } while (await next());
    expect([turns, asked]).toEqual([25, 1]);
  });
});
