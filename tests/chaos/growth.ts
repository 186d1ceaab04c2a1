/** A measured value and when, in minutes since the beginning. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How much a value grows a minute: the slope of the straight line that fits the points best; NaN of fewer than two. */
export function growthOf(points: readonly Point[]): number {
  if (points.length < 2) return NaN;
  const [middleTime, middleValue] = [
    mean(points.map(({ minute }) => minute)),
    mean(points.map(({ value }) => value)),
  ];
  const spread = points.reduce((sum, { minute }) => sum + (minute - middleTime) ** 2, 0);
  const together = points.reduce(
    (sum, { minute, value }) => sum + (minute - middleTime) * (value - middleValue),
    0,
  );
  return spread === 0 ? 0 : together / spread;
}
