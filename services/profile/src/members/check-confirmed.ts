import { emailNotConfirmed } from '@covalence/contract/failure';
import { siteOf, type MembersContext } from './members.ts';
import type { Member } from './document/member.ts';

/**
 * Throws 403 without code for a member who has never confirmed an e-mail address, on sites that require it
 * (`confirmed_only`). Throws 503 there while the auth service is down.
 */
export async function checkConfirmed(
  context: Pick<MembersContext, 'auth' | 'sites'>,
  { siteid, member_id }: Member,
): Promise<void> {
  if (!siteOf(context, siteid).confirmed_only) return;
  const { confirmed } = await context.auth.readEmail({ member_id });
  if (!confirmed) throw emailNotConfirmed();
}
