import { notFound } from '@covalence/contract/failure';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import type { Context } from '../context.ts';

/** Id of a staff account by name; throws 404 when there is none. */
export async function staffIdOf(username: string, { accounts }: Pick<Context, 'accounts'>): Promise<string> {
  const [claim] = await accounts.claims.find([claimId(staffSite, 'username', username)]);
  if (!claim) throw notFound();
  return claim.member_id;
}
