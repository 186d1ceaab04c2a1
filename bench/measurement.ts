/** One figure of a benchmark, beside what it is compared with in the same run. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly reference: number;
  /** value / reference. */
  readonly ratio: number;
  /** What is asked for, e.g. 'ratio at least 0.8'. */
  readonly goal: string;
}

const rounded = (value: number) => Number(value.toPrecision(3));

/** A measurement with three digits, which is more than such a run can tell. */
export function measurement(
  what: string,
  unit: string,
  value: number,
  reference: number,
  goal: string,
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

/** The value in the middle, the upper one of two; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The value that 99 of 100 do not exceed; 0 of none. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}
