import { Failure } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { MembersContext } from './members.ts';

const { usernameTaken, emailTaken, updatedEmailTaken } = failCodes;
const takenCodes: readonly number[] = [usernameTaken, emailTaken, updatedEmailTaken];

/** The number of usernames and email addresses that a failure reports as taken. */
export const takenNamesIn = (error: unknown): number =>
  error instanceof Failure ? (error.failcode ?? []).filter((code) => takenCodes.includes(code)).length : 0;

/**
 * Looks up names for a client address (from `addressKey`) and counts those that are taken: 429 with Retry-After
 * beyond the hourly limit. Reserves a use for every name first, so that parallel calls cannot exceed the limit.
 * Look-ups of one address run one at a time, so that free names do not exhaust it.
 */
export function countTakenNames(
  { members }: MembersContext,
  address: string,
  names: number,
  lookUp: () => Promise<void>,
): Promise<void> {
  return members.nameLookUps(address, async () => {
    await members.limits.takenNames.count(address, names);
    let taken = 0;
    try {
      await lookUp();
    } catch (error) {
      taken = takenNamesIn(error);
      throw error;
    } finally {
      if (taken < names) await members.limits.takenNames.giveBack(address, names - taken);
    }
  });
}

/** Runs a claim of names that were free a moment ago, and counts those that are taken by now. */
export async function countLostNames<Result>(
  { members }: MembersContext,
  address: string,
  claim: () => Promise<Result>,
): Promise<Result> {
  try {
    return await claim();
  } catch (error) {
    const taken = takenNamesIn(error);
    if (taken) await members.limits.takenNames.count(address, taken);
    throw error;
  }
}
