import { addressKey } from '@covalence/http/address-key';
import type { Account } from '../accounts/account.ts';
import { identityId } from '../accounts/identities/identity-store.ts';
import type { ProvenIdentity } from '../accounts/identities/provider-connection.ts';
import { notify } from '../mail/queued-mail.ts';
import type { Admission } from './admission.ts';
import type { SignInContext } from './sign-in-context.ts';

/**
 * Links an account at a provider, which signs the member in from then on, and mails a notice. False when it signs in somebody
 * else, the member has another account at this provider, or the account was recovered meanwhile. Idempotent.
 */
export async function linkIdentity(
  { request, context, authenticatedAt }: Admission,
  account: Account,
  { provider, subject, email }: ProvenIdentity,
): Promise<boolean> {
  const { accounts, identities, security, now } = context;
  const _id = identityId(provider, account.siteid, subject);
  const [linked] = await identities.store.findMany([_id]);
  if (linked) return linked.member_id === account._id;
  const at = now();
  const identity = { _id, member_id: account._id, provider, email, linked_at: at, last_used_at: at };
  if (!(await identities.store.add(identity))) return false;
  // A recovery that began after the credentials were proven may have removed the links already.
  const { signed_out_at } = (await accounts.find(account._id)) ?? {};
  if (signed_out_at && signed_out_at >= authenticatedAt) {
    await identities.store.remove(account._id, provider);
    return false;
  }
  security.record('identity_linked', { member: account._id, address: addressKey(request.ip ?? '') });
  const values = { provider: identities.providers.get(provider)?.provider.name ?? provider };
  await notify(account, { topic: 'mailIdentityLinked', values }, context);
  return true;
}

/** Removes every account at a provider from a member whose account is recovered. */
export async function removeIdentities(
  memberId: string,
  { identities, security }: Pick<SignInContext, 'identities' | 'security'>,
): Promise<void> {
  if (await identities.store.erase(memberId))
    security.record('identity_removed', { member: memberId, reason: 'recovery' });
}
