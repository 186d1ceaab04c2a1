import { isInProgress, loginNames, resolvePending, type AccountsContext } from '../accounts/names/claims.ts';
import type { Account } from '../accounts/account.ts';
import { claimId, staffSite } from '../accounts/names/names.ts';
import type { Sites } from '@covalence/contract/sites';

/** Scope of a login: staff, one site, or all sites. */
export interface Realm {
  readonly staff: boolean;
  readonly siteid: number | undefined;
}

/** Sites of a realm; staff accounts have a site of their own. */
export const siteidsOf = ({ staff, siteid }: Realm, sites: Sites): number[] => {
  if (staff) return [staffSite];
  return siteid === undefined ? [...sites.keys()] : [siteid];
};

/** Whether an account can sign in. A registration whose last step was lost is completed here. */
async function isUsable(account: Account, context: AccountsContext): Promise<boolean> {
  if (account.status === 'active') return true;
  return !isInProgress(account.created_at, context.clock) && resolvePending(account, context);
}

/** Accounts with this username or email address among their names from `namesOf`, by default the names that sign in. */
export async function findAccounts(
  login: string,
  realm: Realm,
  context: AccountsContext,
  namesOf: (account: Account) => readonly string[] = loginNames,
): Promise<Account[]> {
  const ids = siteidsOf(realm, context.sites).flatMap((siteid) => [
    claimId(siteid, 'username', login),
    claimId(siteid, 'email', login),
  ]);
  const claims = await context.accounts.claims.find(ids);
  // Also without claims: response times must not reveal whether a login exists.
  const found = await context.accounts.findMany(claims.map((claim) => claim.member_id));
  const usable: Account[] = [];
  for (const account of found) {
    const isMatch = namesOf(account).some((id) => ids.includes(id));
    if (isMatch && (await isUsable(account, context))) usable.push(account);
  }
  return usable;
}
