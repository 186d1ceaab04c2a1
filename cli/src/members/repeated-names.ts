import { canonicalName } from '@covalence/contract/catalogue/fields';
import type { Candidate } from './line-batches.ts';

const names = ['username', 'email'] as const;

/** Finds lines of a file that repeat the username or email address of an earlier line on the same site. */
export function createRepeatedNames() {
  const firstLines = new Map<string, number>();
  /** The names that an earlier line has, as text; undefined for none. */
  return ({ line, member: { parameters } }: Candidate): string | undefined => {
    const given = new Map(Object.entries(parameters).map(([name, value]) => [canonicalName(name), value]));
    const repeated = names.flatMap((name) => {
      const value = given.get(name);
      if (typeof value !== 'string') return [];
      const key = `${String(given.get('siteid'))} ${name} ${value.normalize('NFKC').toLowerCase().trim()}`;
      const first = firstLines.get(key) ?? line;
      firstLines.set(key, first);
      return first === line ? [] : [`${name}: that of line ${first}`];
    });
    return repeated.length ? repeated.join('; ') : undefined;
  };
}
