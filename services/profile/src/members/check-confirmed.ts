import { emailNotConfirmed } from '@covalence/contract/failure';
import { type MembersContext, siteOf } from './members.ts';
import type { Member } from './document/member.ts';

/**
 * Refuses a member who has never confirmed their e-mail address, on a site whose rule says so: 403 without code. Other sites
 * ask nobody; with the rule it is 503 while the auth service is away.
 */
export async function checkConfirmed(
  context: Pick<MembersContext, 'auth' | 'sites'>,
  { siteid, member_id }: Member,
): Promise<void> {
  if (!siteOf(context, siteid).confirmed_only) return;
  const { confirmed } = await context.auth.readEmail({ member_id });
  if (!confirmed) throw emailNotConfirmed();
}
