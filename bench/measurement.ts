/** What is asked for: of the ratio, or of the figure itself, in its unit. */
export type Goal = 'no goal' | `${'ratio ' | ''}at ${'least' | 'most'} ${string}`;

/** One figure of a benchmark, beside what it is compared with in the same run. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly reference: number;
  /** value / reference. */
  readonly ratio: number;
  /** e.g. 'ratio at least 0.8'. */
  readonly goal: Goal;
}

const rounded = (value: number) => Number(value.toPrecision(3));

/** A measurement with three digits, which is more than such a run can tell. */
export function measurement(
  what: string,
  unit: string,
  value: number,
  reference: number,
  goal: Goal,
): Measurement {
  return {
    what,
    unit,
    value: rounded(value),
    reference: rounded(reference),
    ratio: rounded(value / reference),
    goal,
  };
}

/** How far a measurement comes: 1 where it just reaches its goal, 2 where it is twice as good; undefined without a goal. */
export function reach({ goal, ratio, value }: Measurement): number | undefined {
  const [, of, bound, limit] = /^(ratio )?at (least|most) ([\d.,]+)/.exec(goal) ?? [];
  if (limit === undefined) {
    if (goal === 'no goal') return undefined;
    throw new Error(`not a goal: ${goal}`);
  }
  const wanted = Number(limit.replaceAll(',', ''));
  const got = of ? ratio : value;
  return bound === 'least' ? got / wanted : wanted / got;
}

/** The value in the middle, the upper one of two; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The value that 99 of 100 do not exceed; 0 of none. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}
