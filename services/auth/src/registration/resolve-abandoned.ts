import { eachPart, type MayGoOn } from '@covalence/events/periodic';
import { resolvePending, type AccountsContext } from '../accounts/names/claims.ts';

/** Age from which a pending registration counts as abandoned. */
const abandonedAfterMs = 60_000;

/** Completes abandoned registrations whose member exists, removes the others and counts failures. */
export async function resolveAbandoned(context: AccountsContext, mayGoOn: MayGoOn): Promise<number> {
  const { accounts, clock, logger } = context;
  const pending = await accounts.pending.before(new Date(clock().getTime() - abandonedAfterMs));
  return eachPart(
    pending,
    async (account) => {
      const exists = await resolvePending(account, context);
      logger.info({ member: account.id, exists }, 'resolved an abandoned registration');
    },
    {
      mayGoOn,
      logger,
      left: 'resolving an abandoned registration failed: will retry',
      about: ({ id }) => ({ member: id }),
    },
  );
}
