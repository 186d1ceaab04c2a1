import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { inGroups } from '../../src/tokens/families/in-groups.ts';

const groups = (atOnce?: number) => {
  const begun: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = inGroups((items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    begun.push({
      items,
      end: (error) => (error ? reject(error) : resolve(items.map((item) => item * 10))),
    });
    return promise;
  }, atOnce);
  return { begun, call };
};

describe('calls in groups', () => {
  it('go together when they come together, and gather while a group is under way', async () => {
    const { begun, call } = groups();
    const first = [call(1), call(2)];
    await turn();
    const later = [call(3), call(4), call(5)];
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([[1, 2]]);
    begun[0]?.end();
    expect(await Promise.all(first)).toEqual([10, 20]);
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    begun[1]?.end();
    expect(await Promise.all(later)).toEqual([30, 40, 50]);
  });

  it('do not wait for other groups where any number may be under way', async () => {
    const { begun, call } = groups(Infinity);
    const all = Array.from({ length: 150 }, (_one, item) => call(item));
    await turn();
    const later = call(1_000);
    await turn();
    expect(begun.map(({ items }) => items.length)).toEqual([100, 50, 1]);
    begun[2]?.end();
    expect(await later).toBe(10_000);
    for (const group of begun) group.end();
    expect((await Promise.all(all)).at(-1)).toBe(1_490);
  });

  it('fail together, and the next group is not concerned', async () => {
    const { begun, call } = groups();
    const failing = [call(1), call(2)];
    await turn();
    const next = call(3);
    begun[0]?.end(new Error('away'));
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    begun[1]?.end();
    expect(await next).toBe(30);
  });

  it('are at most a hundred to a group', async () => {
    const { begun, call } = groups();
    const all = Array.from({ length: 150 }, (_one, item) => call(item));
    await turn();
    expect(begun.map(({ items }) => items.length)).toEqual([100]);
    begun[0]?.end();
    await turn();
    await turn();
    expect(begun.map(({ items }) => items.length)).toEqual([100, 50]);
    begun[1]?.end();
    expect((await Promise.all(all)).at(-1)).toBe(1_490);
  });
});
