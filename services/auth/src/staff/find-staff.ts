import { notFound } from '@covalence/contract/failure';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import type { Context } from '../context.ts';

/** The id of the staff account of a name; 404 where there is none. */
export async function staffIdOf(username: string, { accounts }: Pick<Context, 'accounts'>): Promise<string> {
  const [claim] = await accounts.findClaims([claimId(staffSite, 'username', username)]);
  if (!claim) throw notFound();
  return claim.member_id;
}
