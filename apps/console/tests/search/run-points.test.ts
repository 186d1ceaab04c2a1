import { describe, expect, it } from '@jest/globals';
import { pointsOf } from '../../src/search/judgments/run-points.ts';

describe('the plot of runs', () => {
  it('has no point for a metric that a run of an earlier version lacks', () => {
    const mean = { ndcg: 0.5, precision: 0.1, recall: 1, err: 0 };
    const runs = [
      { id: 'earlier', changed: false, mean },
      { id: 'unmeasured', changed: false, mean: null },
      { id: 'now', changed: true, mean: { ...mean, judged: 0 } },
    ];
    expect(pointsOf(runs, 'judged')).toEqual([{ id: 'now', at: 2, value: 0, changed: true }]);
    expect(pointsOf(runs, 'err').map(({ at }) => at)).toEqual([0, 2]);
  });
});
