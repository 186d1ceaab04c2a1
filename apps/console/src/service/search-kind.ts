import type { SearchBy } from './queries.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The keys that a typed value may be: an email address, a UUID, a number, which may be a username too, or else a username. */
export function kindsOfValue(value: string): readonly SearchBy[] {
  if (value.includes('@')) return ['email'];
  if (uuid.test(value)) return ['id'];
  return /^\d+$/.test(value) ? ['id', 'username'] : ['username'];
}
