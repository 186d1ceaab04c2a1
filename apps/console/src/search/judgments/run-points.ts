import type { Metric, Run } from './judgment-queries.ts';

/** The points of a metric, each with its place among the runs. */
export const pointsOf = (runs: readonly Pick<Run, 'id' | 'mean' | 'changed'>[], metric: Metric) =>
  runs.flatMap(({ id, mean, changed }, at) => {
    const value = mean?.[metric];
    return value === undefined ? [] : [{ id, at, value, changed }];
  });
