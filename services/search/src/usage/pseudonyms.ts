import { createHmac } from 'node:crypto';

/** What a pseudonym stands for: a member who searches, or one who is shown. Nobody can tell that both are the same member. */
export type Role = 'searcher' | 'shown';

export const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;

/**
 * How long a pseudonym lasts: what a member did cannot be joined beyond a week. Others know on their phones who liked them on which day:
 * with a name for each day they find themselves among those who were shown as seldom as can be.
 */
const lastsMs: Readonly<Record<Role, number>> = { searcher: weekMs, shown: dayMs };

/** The number of a week, in UTC. */
export const weekOf = (at: Date): number => Math.floor(at.getTime() / weekMs);

/** Pseudonyms of members. Without the secret nobody can compute them, not even for known numbers. */
export type Pseudonyms = ReturnType<typeof createPseudonyms>;

const lots = 2 ** 32;

/** Creates them under a secret. */
export function createPseudonyms(secret: string) {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  const named = (role: Role, member: number, period: number) =>
    digest(`${role}:${period}:${member}`).subarray(0, 16).toString('base64url');
  return {
    /** The pseudonym of a member at a time: 128 bits. */
    of: (role: Role, member: number, at: Date): string =>
      named(role, member, Math.floor(at.getTime() / lastsMs[role])),
    /** Every pseudonym that a member had in the time before a moment, the last first. */
    before(at: Date, role: Role, member: number, ageMs: number): string[] {
      const last = Math.floor(at.getTime() / lastsMs[role]);
      const first = Math.floor((at.getTime() - ageMs) / lastsMs[role]);
      return Array.from({ length: last - first + 1 }, (_, index) => named(role, member, last - index));
    },
    /** The name of a unit of an experiment, from which its coins follow. */
    unit: (text: string): string => digest(`unit:${text}`).subarray(0, 16).toString('base64url'),
    /** The lot of a member in a week, 0 up to 1: those below the sample are recorded. */
    lot: (member: number, week: number): number => digest(`lot:${week}:${member}`).readUInt32BE() / lots,
  };
}
