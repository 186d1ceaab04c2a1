/** A table with its title. */
export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Notes for the reader. */
  readonly notes?: readonly string[];
}

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** A number of two digits. */
export const count = (value: number) => number.format(value);

/** Members or sockets in words: 10 thousand, 3.4 million. */
export const people = (value: number) =>
  value >= 1e6
    ? `${count(value / 1e6)} million`
    : value >= 1e4
      ? `${count(value / 1e3)} thousand`
      : count(value);

const scales = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
] as const;

/** Bytes with their unit. */
export function bytes(value: number): string {
  const [unit, of] = scales.find(([, least]) => value >= least) ?? ['kB', 1e3];
  return `${count(value / of)} ${unit}`;
}
