import { describe, expect, it } from '@jest/globals';
import { pointsOf } from '../../../src/search/judgments/run-points.ts';

describe('the plot of runs', () => {
  it('has no point for a run in which no search was measured', () => {
    const mean = { ndcg: 0.5, precision: 0.1, recall: 1, err: 0, judged: 0 };
    const runs = [
      { id: 'unmeasured', changed: false, mean: null },
      { id: 'measured', changed: true, mean },
    ];
    expect(pointsOf(runs, 'judged')).toEqual([{ id: 'measured', at: 1, value: 0, changed: true }]);
  });
});
