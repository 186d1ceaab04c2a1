import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { AccountStore } from '../accounts/account-store.ts';
import type { AttemptsStore } from '../accounts/attempts-store.ts';
import type { ClaimStore } from '../accounts/names/claim-store.ts';
import type { SessionStore } from '../tokens/sessions/session-store.ts';
import { revokeFamiliesOf, type RevokeContext } from '../tokens/families/revoke-families.ts';

/** Dependencies of an erasure. */
interface EraseContext extends RevokeContext {
  readonly accounts: Pick<AccountStore, 'erase'> & {
    readonly attempts: AttemptsStore;
    readonly claims: ClaimStore;
  };
  readonly tokens: RevokeContext['tokens'] & { readonly sessions: SessionStore };
}

/** POST /internal/members/erase: deletes account, names, families and sessions; frees the names. Idempotent. */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase an account',
  ...eraseMember,
  handler: async ({ input: { member_id } }, context: EraseContext) => {
    const { accounts, tokens } = context;
    // The account first: an account without its names could still sign in.
    await accounts.erase(member_id);
    await accounts.claims.releaseAll(member_id);
    await revokeFamiliesOf(member_id, undefined, context);
    await tokens.families.erase(member_id);
    await Promise.all([
      tokens.sessions.eraseAccount(member_id),
      accounts.attempts.reset('account', member_id),
      accounts.attempts.reset('mailAccount', member_id),
    ]);
    return {};
  },
});
