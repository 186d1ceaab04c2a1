import { Failure } from '@covalence/contract/failure';
import type { Context } from '../context.ts';

/** Codes that say that somebody has a username or an e-mail address: 10101, 10302, 20502. */
const takenCodes: readonly number[] = [10101, 10302, 20502];

/** Whether an answer says that a username or an e-mail address is taken. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Failure && (error.failcode ?? []).some((code) => takenCodes.includes(code));

/**
 * Runs a lookup of names for an address (as `addressKey` gives it) and keeps it counted where it fails with a taken name.
 * Counted before anything is looked up, so that many at once find out no more than the hour's: 429 with Retry-After.
 */
export async function countTakenNames<Result>(
  { takenNameLimits }: Pick<Context, 'takenNameLimits'>,
  address: string,
  lookUp: () => Promise<Result>,
): Promise<Result> {
  await takenNameLimits.count(address);
  try {
    const result = await lookUp();
    await takenNameLimits.giveBack(address);
    return result;
  } catch (error) {
    if (!isTaken(error)) await takenNameLimits.giveBack(address);
    throw error;
  }
}
