import { isUnderWay, loginsOf, settle, type ClaimContext } from '../accounts/names/claims.ts';
import type { Account } from '../accounts/account.ts';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import type { Sites } from '@covalence/contract/sites';

/** Where a login is looked for: the staff realm, one site, or all of them. */
export interface Realm {
  readonly staff: boolean;
  readonly siteid: number | undefined;
}

/** The sites that a login is looked for on; staff accounts are on one of their own. */
export const siteidsOf = ({ staff, siteid }: Realm, sites: Sites): number[] => {
  if (staff) return [staffSite];
  return siteid === undefined ? [...sites.keys()] : [siteid];
};

/** Whether an account may sign in; a registration whose last step was lost is finished here (design: registration). */
async function isUsable(account: Account, context: ClaimContext): Promise<boolean> {
  if (account.status === 'active') return true;
  return !isUnderWay(account.created_at, context.now) && settle(account, context);
}

/** The accounts that a username or e-mail address may mean: one of the names that `namesOf` tells, by default those that sign in. */
export async function findAccounts(
  login: string,
  realm: Realm,
  context: ClaimContext & { readonly sites: Sites },
  namesOf: (account: Account) => readonly string[] = loginsOf,
): Promise<Account[]> {
  const ids = siteidsOf(realm, context.sites).flatMap((siteid) => [
    claimId(siteid, 'username', login),
    claimId(siteid, 'email', login),
  ]);
  const claims = await context.accounts.findClaims(ids);
  // Also for no claim at all: a login that nobody has shall not be told by the call it saves.
  const found = await context.accounts.findMany(claims.map((claim) => claim.member_id));
  const usable: Account[] = [];
  for (const account of found) {
    const isMeant = namesOf(account).some((id) => ids.includes(id));
    if (isMeant && (await isUsable(account, context))) usable.push(account);
  }
  return usable;
}
