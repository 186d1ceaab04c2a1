import type { FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';

/** Values with the codes 10, 20, 30 … in the order of their labels. */
export function scale(...texts: readonly InFourLocales[]): FieldValue[] {
  return texts.map((text, index) => ({ code: (index + 1) * 10, labels: labels(...text) }));
}

/** Neighbor credits on a scale of `length` values: neighbors of the wanted value get `credit`. */
export function neighboring(length: number, credit: number): Record<string, Record<string, number>> {
  const codes = Array.from({ length }, (_, index) => (index + 1) * 10);
  const beside = (code: number) => codes.filter((other) => Math.abs(other - code) === 10);
  return Object.fromEntries(
    codes.map((code) => [code, Object.fromEntries(beside(code).map((other) => [other, credit]))]),
  );
}
