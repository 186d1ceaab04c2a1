import { notFound } from '@covalence/contract/failure';
import type { Account } from '../accounts/account.ts';
import { claimId, staffSite } from '../accounts/names/names.ts';
import type { AuditStore } from './audit-store.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';

/** Dependencies of the operations on staff accounts. */
export interface StaffContext extends SignInContext {
  readonly audit: AuditStore;
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

/** An account by its number or UUID. */
export const accountById = (
  id: string,
  { accounts }: Pick<StaffContext, 'accounts'>,
): Promise<Account | undefined> =>
  /^\d{1,15}$/.test(id) ? accounts.findByNumber(Number(id)) : accounts.find(id.toLowerCase());
