import type { Logger } from '@covalence/runtime/logger';
import { settle, type ClaimContext } from './claims.ts';

/** Registrations are given this long before the reaper asks what became of them. */
const afterMs = 60_000;

/** Settles registrations that nobody finished, while it may go on: confirms those whose member exists, gives the names of the others up. */
export async function settleAbandoned(
  context: ClaimContext,
  logger: Logger,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const pending = await context.accounts.pendingSince(new Date(context.now().getTime() - afterMs));
  for (const account of pending) {
    if (!(await mayGoOn())) return;
    const exists = await settle(account, context);
    logger.info({ member: account.id, exists }, 'settled an abandoned registration');
  }
}
