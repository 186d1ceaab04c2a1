import { eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { withoutExpired } from '../addresses.ts';
import { releaseUnneeded, type ClaimContext } from '../names/claims.ts';
import { changeAddresses } from './change-addresses.ts';
import type { EmailStore } from './email-store.ts';

/** Time after which an expired address is removed: nothing can apply it any more. */
const delayMs = 120_000;

/** Dependencies of removing expired addresses. */
export interface ExpireContext extends ClaimContext {
  readonly accounts: ClaimContext['accounts'] & { readonly emails: EmailStore };
  readonly logger: Logger;
}

/** Removes and releases expired addresses. A failure does not stop the others. Resolves to the number of failures. */
export async function expireAddresses(context: ExpireContext, mayGoOn: MayGoOn): Promise<number> {
  const { accounts, clock, logger } = context;
  const due = await accounts.emails.expiredBefore(new Date(clock().getTime() - delayMs));
  return eachPart(
    due,
    async ({ _id }) => {
      const read = await changeAddresses(
        _id,
        (account) => ({ after: withoutExpired(account, clock()) }),
        context,
      );
      if (read) await releaseUnneeded(read, context);
    },
    {
      mayGoOn,
      logger,
      left: 'removing expired addresses of a member failed: will retry',
      about: ({ id }) => ({ member: id }),
    },
  );
}
