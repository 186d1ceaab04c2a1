import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { shareRecent } from '../src/share-recent.ts';

describe('a shared answer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is read once for all calls until it is too old, however long it takes', async () => {
    let reads = 0;
    const slow = Promise.withResolvers<void>();
    const read = shareRecent(1_000, async () => {
      reads += 1;
      await slow.promise;
      return reads;
    });
    const early = read();
    await jest.advanceTimersByTimeAsync(60_000);
    const late = read();
    slow.resolve();
    expect(await Promise.all([early, late])).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(999);
    expect(await read()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await read()).toBe(2);
  });

  it('is not a failure', async () => {
    let reads = 0;
    const read = shareRecent(1_000, () => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error('away')) : Promise.resolve(reads);
    });
    await expect(read()).rejects.toThrow('away');
    expect(await read()).toBe(2);
  });
});
