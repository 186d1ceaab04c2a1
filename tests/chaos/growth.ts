/** A value and its time in minutes. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The growth per minute: the slope of a linear regression; NaN for fewer than two points. */
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
