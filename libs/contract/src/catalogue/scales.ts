import type { FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';

/** Values with codes in tens, as smoking's 10, 20, 30, 40, in the order of their texts. */
export function scale(...texts: readonly InFourLocales[]): FieldValue[] {
  return texts.map((text, index) => ({ code: (index + 1) * 10, labels: labels(...text) }));
}

/**
 * Neighbor credits on an ordered scale: the value beside a wanted one is worth `credit`.
 * `length` is the number of values, with codes in tens.
 */
export function neighboring(length: number, credit: number): Record<string, Record<string, number>> {
  const codes = Array.from({ length }, (_, index) => (index + 1) * 10);
  const beside = (code: number) => codes.filter((other) => Math.abs(other - code) === 10);
  return Object.fromEntries(
    codes.map((code) => [code, Object.fromEntries(beside(code).map((other) => [other, credit]))]),
  );
}
