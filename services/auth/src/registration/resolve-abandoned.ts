import { eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { settle, type ClaimContext } from '../accounts/names/claims.ts';

/** Registrations are given this long before the reaper asks what became of them. */
const afterMs = 60_000;

/**
 * Settles registrations that nobody finished, while it may go on: confirms those whose member exists, gives the names of the
 * others up. One that fails keeps none of the others back. Resolves with how many failed.
 */
export async function settleAbandoned(
  context: ClaimContext,
  logger: Logger,
  mayGoOn: MayGoOn,
): Promise<number> {
  const pending = await context.accounts.pendingSince(new Date(context.now().getTime() - afterMs));
  return eachPart(
    pending,
    async (account) => {
      const exists = await settle(account, context);
      logger.info({ member: account.id, exists }, 'settled an abandoned registration');
    },
    {
      mayGoOn,
      logger,
      left: 'an abandoned registration is left to the next round',
      about: ({ id }) => ({ member: id }),
    },
  );
}
