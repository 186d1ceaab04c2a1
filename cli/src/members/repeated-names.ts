import { canonicalName } from '@covalence/contract/catalogue/fields';
import type { Candidate } from './line-batches.ts';

const names = ['username', 'email'] as const;

/** Finds lines of a file that repeat the username or e-mail address of another member's line on the same site. */
export function createRepeatedNames() {
  const holders = new Map<string, Candidate>();
  /** Which names an earlier line has; undefined for none. */
  return (candidate: Candidate): string | undefined => {
    const { parameters, member_id } = candidate.member;
    const given = new Map(Object.entries(parameters).map(([name, value]) => [canonicalName(name), value]));
    const repeated = names.flatMap((name) => {
      const value = given.get(name);
      if (typeof value !== 'string') return [];
      const key = `${String(given.get('siteid'))} ${name} ${value.normalize('NFKC').toLowerCase().trim()}`;
      const holder = holders.get(key) ?? candidate;
      holders.set(key, holder);
      return holder.member.member_id === member_id ? [] : [`${name}: that of line ${holder.line}`];
    });
    return repeated.length ? repeated.join('; ') : undefined;
  };
}
