import { describe, expect, it } from '@jest/globals';
import { measurement, reach, type Goal } from '../measurement.ts';

describe('the reach of a figure', () => {
  const cases: [Goal, number, number, number | undefined][] = [
    ['ratio at least 0.8', 40, 100, 0.5],
    ['ratio at least 0.8', 160, 100, 2],
    ['ratio at most 2', 4, 1, 0.5],
    ['ratio at most 2', 1, 1, 2],
    ['at most 1,500 ms', 3_000, 1, 0.5],
    ['at least 5,000', 5_000, 1, 1],
    ['no goal', 1, 1, undefined],
  ];
  it.each(cases)('%s: %d beside %d', (goal, value, reference, expected) => {
    expect(reach(measurement('it', 'ms', value, reference, goal))).toEqual(expected);
  });

  it('throws for a goal without a number', () => {
    expect(() => reach(measurement('it', 'ms', 1, 1, 'at most a moment'))).toThrow('not a goal');
  });
});
