import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { growthOf } from '../growth.ts';
import { without } from '../checks.ts';
import { readChaosOptions } from '../options.ts';

const finite = integer({ min: -1_000, max: 1_000 });

describe('growth', () => {
  it('is the slope of a straight line, wherever it begins', () => {
    assert(
      property(finite, finite, integer({ min: 2, max: 30 }), (start, slope, count) => {
        const points = Array.from({ length: count }, (_, minute) => ({
          minute,
          value: start + slope * minute,
        }));
        expect(growthOf(points)).toBeCloseTo(slope, 6);
      }),
    );
  });

  it('is nothing where there is nothing to compare', () => {
    expect(growthOf([])).toBe(0);
    expect(growthOf([{ minute: 1, value: 5 }])).toBe(0);
  });
});

describe('what one list has more often', () => {
  it.each([
    [['a', 'b'], ['a'], ['b']],
    [['a', 'a'], ['a'], ['a']],
    [['a'], ['a', 'a', 'b'], []],
  ])('%j without %j is %j', (items, others, expected) => expect(without(items, others)).toEqual(expected));
});

describe('arguments of pnpm chaos', () => {
  it('try every fault at each of its targets, or those that are named', () => {
    const all = readChaosOptions([]);
    expect(all.strikes.filter(({ fault }) => fault === 'kill')).toHaveLength(10);
    const { strikes, seconds } = readChaosOptions([
      '--faults',
      'slow,stop',
      '--targets',
      'redis,auth',
      '--seconds',
      '3',
    ]);
    expect(strikes).toEqual([
      { fault: 'slow', target: 'redis' },
      { fault: 'stop', target: 'redis' },
      { fault: 'stop', target: 'auth' },
    ]);
    expect(seconds).toBe(3);
  });

  it.each([
    [['--faults', 'earthquake'], "There is no fault 'earthquake'"],
    [['--targets', 'moon'], "There is no target 'moon'"],
    [['--faults', 'slow', '--targets', 'auth'], 'None of these faults'],
    [['--seconds', '0'], '--seconds takes a whole number'],
  ])('%j is told what is wrong', (args, message) => expect(() => readChaosOptions(args)).toThrow(message));
});
