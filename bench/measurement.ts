/** A bound on the ratio or, in its unit, on the figure itself. */
export type Goal = 'no goal' | `${'ratio ' | ''}at ${'least' | 'most'} ${string}`;

/** One figure of a benchmark and its reference from the same run. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly reference: number;
  /** value / reference. */
  readonly ratio: number;
  /** E.g. 'ratio at least 0.8'. */
  readonly goal: Goal;
}

const rounded = (value: number) => Number(value.toPrecision(3));

/** Creates a measurement, rounded to three digits. */
export const measurement = (
  what: string,
  unit: string,
  value: number,
  reference: number,
  goal: Goal = 'no goal',
): Measurement => ({
  what,
  unit,
  value: rounded(value),
  reference: rounded(reference),
  ratio: rounded(value / reference),
  goal,
});

/** The ratio of a figure to its goal: 1 exactly, 2 twice as good; undefined without a goal. */
export function reach({ goal, ratio, value }: Measurement): number | undefined {
  const [, of, bound, limit] = /^(ratio )?at (least|most) ([\d.,]+)/.exec(goal) ?? [];
  if (limit === undefined) {
    if (goal === 'no goal') return undefined;
    throw new Error(`not a goal: ${goal}`);
  }
  const wanted = Number(limit.replaceAll(',', ''));
  const actual = of ? ratio : value;
  return bound === 'least' ? actual / wanted : wanted / actual;
}

/** The sum of some values. */
export const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;

/** The median; the upper one of two, 0 of no values. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The 99th percentile; 0 of no values. */
export const p99 = (values: readonly number[]): number => percentile(values, 0.99);
