import { notFound } from '@covalence/contract/failure';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { AttemptsStore } from '../accounts/attempts-store.ts';
import type { ClaimContext } from '../accounts/names/claims.ts';
import type { Passwords } from '../accounts/passwords/passwords.ts';
import type { KeyContext } from '../keys/key-ring.ts';
import type { SignOutContext } from '../tokens/sessions/sign-out-everywhere.ts';

/** Dependencies of the operations on staff accounts. */
export interface StaffContext extends ClaimContext, KeyContext, SignOutContext {
  readonly accounts: ClaimContext['accounts'] &
    AccountStore & { readonly attempts: AttemptsStore; readonly passwords: Passwords };
  /** `iss` and `aud` of tokens. */
  readonly issuer: string;
  readonly audience: string;
}

/** Id of a staff account by name; throws 404 when there is none. */
export async function staffIdOf(
  username: string,
  { accounts }: Pick<StaffContext, 'accounts'>,
): Promise<string> {
  const [claim] = await accounts.claims.find([claimId(staffSite, 'username', username)]);
  if (!claim) throw notFound();
  return claim.member_id;
}
