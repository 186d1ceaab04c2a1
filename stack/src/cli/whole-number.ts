import { CommandError } from '@covalence/runtime/command-error';

/** A whole number that was typed for an option or set in a variable; a CommandError says what it takes. */
export function wholeNumber(name: string, text: string, from: number, to: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new CommandError(`${name} takes a whole number from ${from} to ${to}, not '${text}'.`);
}
