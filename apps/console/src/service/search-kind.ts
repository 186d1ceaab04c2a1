import type { SearchBy } from './queries.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The key that a typed value is: an email address, a number or UUID, or else a username. */
export function kindOfValue(value: string): SearchBy {
  if (value.includes('@')) return 'email';
  return /^\d+$/.test(value) || uuid.test(value) ? 'id' : 'username';
}
