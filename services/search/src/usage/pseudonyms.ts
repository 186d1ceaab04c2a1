import { dayMs, weekMs } from '@covalence/contract/time';
import { createHmac } from 'node:crypto';

/**
 * The role of a pseudonym: a member who searches, or one who is shown. The two names of a member are not
 * derived from each other; an observer who knows a member's actions can still join them.
 */
export type Role = 'searcher' | 'shown';

/** Lifetime of a pseudonym: a week of searches can be judged together, and a day of results. */
const lastsMs: Readonly<Record<Role, number>> = { searcher: weekMs, shown: dayMs };

/** The number of a week, in UTC. */
export const weekOf = (at: Date): number => Math.floor(at.getTime() / weekMs);

/** Pseudonyms of members. Without a secret nobody can compute them, not even for known numbers. */
export type Pseudonyms = ReturnType<typeof createPseudonyms>;

const lots = 2 ** 32;

const bytesOf = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();
const textOf = (bytes: Buffer, length: number) => bytes.subarray(0, length).toString('base64url');

/** Begins the names of searchers, so that names under a lost secret are recognized. */
const keyOf = (secret: string) => textOf(bytesOf(secret, 'key'), 4);

/** Creates them under secrets: the first one makes new names, every one finds its own. */
export function createPseudonyms(secrets: readonly string[]) {
  const [current] = secrets;
  if (current === undefined) throw new Error('USAGE_SECRET is empty');
  const digest = (text: string) => bytesOf(current, text);
  const keys = new Map(secrets.map((secret) => [secret, keyOf(secret)]));
  const named = (secret: string, role: Role, member: number, period: number) => {
    const name = textOf(bytesOf(secret, `${role}:${period}:${member}`), 16);
    return role === 'searcher' ? `${keys.get(secret)}.${name}` : name;
  };
  return {
    /** The pseudonym of a member at a time: 128 bits. */
    of: (role: Role, member: number, at: Date): string =>
      named(current, role, member, Math.floor(at.getTime() / lastsMs[role])),
    /** Every pseudonym that a member had in the time before a moment. */
    before(at: Date, role: Role, member: number, ageMs: number): string[] {
      const last = Math.floor(at.getTime() / lastsMs[role]);
      const first = Math.floor((at.getTime() - ageMs) / lastsMs[role]);
      return secrets.flatMap((secret) =>
        Array.from({ length: last - first + 1 }, (_, index) => named(secret, role, member, last - index)),
      );
    },
    /** Prefix of the searchers' names. */
    key: keyOf(current),
    /** Seed of the coins of a search in an experiment. */
    seed: (text: string): string => textOf(digest(`seed:${text}`), 16),
    /** The ranges that hold the names of searchers under these secrets, in their order. */
    ranges: [...keys.values()].sort().map((key) => ({ from: `${key}.`, to: `${key}/` })),
    /** The sampling bucket of a member in a week, 0 up to 1: members below the sample are recorded. */
    lot: (member: number, week: number): number => digest(`lot:${week}:${member}`).readUInt32BE() / lots,
  };
}
