import { StackError } from '../stack-error.ts';

/** A whole number that was typed for an option or set in a variable; a StackError says what it takes. */
export function wholeNumber(name: string, text: string, from: number, to: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new StackError(`${name} takes a whole number from ${from} to ${to}, not '${text}'.`);
}
