import { eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { withoutExpired } from './addresses.ts';
import { changeAddresses } from './change-addresses.ts';
import { freeUnneeded, type ClaimContext } from '../names/claims.ts';

/** Addresses are forgotten and freed this long after they have expired, when none of them can be applied any more. */
const afterMs = 120_000;

/**
 * Forgets addresses that waited, or were protected, for their days, and frees them for others. One that fails keeps none of the
 * others back. Resolves with how many failed.
 */
export async function expireAddresses(
  context: ClaimContext,
  logger: Logger,
  mayGoOn: MayGoOn,
): Promise<number> {
  const { accounts, now } = context;
  const due = await accounts.withExpiredAddresses(new Date(now().getTime() - afterMs));
  return eachPart(
    due,
    async ({ _id }) => {
      const read = await changeAddresses(
        _id,
        (account) => ({ after: withoutExpired(account, now()) }),
        context,
      );
      if (read) await freeUnneeded(read, context);
    },
    {
      mayGoOn,
      logger,
      left: 'expired addresses of a member are left to the next round',
      about: ({ id }) => ({ member: id }),
    },
  );
}
