import { Failure } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { MembersContext } from './members.ts';

/** Codes that say that somebody has a username or an e-mail address: 10101, 10302, 20502. */
const takenCodes: readonly number[] = [
  failCodes.usernameTaken,
  failCodes.emailTaken,
  failCodes.updatedEmailTaken,
];

/** How many usernames and e-mail addresses an answer says are taken. */
export const namesTold = (error: unknown): number =>
  error instanceof Failure ? (error.failcode ?? []).filter((code) => takenCodes.includes(code)).length : 0;

/**
 * Looks up some names for an address (as `addressKey` gives it) and counts those that are told to be taken. Room for all of
 * them is taken first, so that many at once find out no more than the hour's: 429 with Retry-After. Look-ups of one address
 * take turns, so that free names of many who share it do not use that room up.
 */
export function countTakenNames(
  { members }: Pick<MembersContext, 'members'>,
  address: string,
  names: number,
  lookUp: () => Promise<void>,
): Promise<void> {
  return members.nameLookUps(address, async () => {
    await members.limits.takenNames.count(address, names);
    let told = 0;
    try {
      await lookUp();
    } catch (error) {
      told = namesTold(error);
      throw error;
    } finally {
      if (told < names) await members.limits.takenNames.giveBack(address, names - told);
    }
  });
}

/** Runs a claim of names that were free a moment ago; those that it tells to be taken all the same are counted too. */
export async function countLostNames(
  { members }: Pick<MembersContext, 'members'>,
  address: string,
  claim: () => Promise<unknown>,
): Promise<void> {
  try {
    await claim();
  } catch (error) {
    const told = namesTold(error);
    if (told) await members.limits.takenNames.count(address, told);
    throw error;
  }
}
