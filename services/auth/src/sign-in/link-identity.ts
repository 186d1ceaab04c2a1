import { addressKey } from '@covalence/http/address-key';
import type { Account } from '../accounts/account.ts';
import { isOffered } from '../accounts/identities/identity-providers.ts';
import { identityId } from '../accounts/identities/identity-store.ts';
import type { ProvenIdentity } from '../accounts/identities/provider-connection.ts';
import { removeIdentities } from '../accounts/identities/provider-tokens.ts';
import { notify } from '../mail/queued-mail.ts';
import type { SignInContext } from './sign-in-context.ts';
import { secondsToAdd } from './ways-in.ts';

/** Why an account at a provider is not linked. */
export interface LinkRefusal {
  readonly problem: 'identityTaken' | 'limited';
  /** Seconds after which it may be tried again. */
  readonly seconds?: number;
}

const refused: LinkRefusal = { problem: 'identityTaken' };

/**
 * Links an account at a provider, which signs the member in from then on, and mails a notice. Refused when it signs in somebody
 * else, the member has another account at this provider, the site does not offer it, the account was recovered meanwhile, or too
 * many ways in were added. Idempotent.
 */
export async function linkIdentity(
  account: Account,
  { provider, subject, email }: ProvenIdentity,
  { authenticatedAt, address }: { readonly authenticatedAt: Date; readonly address: string },
  context: SignInContext,
): Promise<LinkRefusal | undefined> {
  const { accounts, identities, security, now } = context;
  const settings = identities.providers.get(provider)?.provider;
  if (!settings || !isOffered(settings, account.siteid)) return refused;
  const _id = identityId(provider, account.siteid, subject);
  const [linked] = await identities.store.findMany([_id]);
  if (linked) return linked.member_id === account._id ? undefined : refused;
  const seconds = await secondsToAdd(account._id, context);
  if (seconds) return { problem: 'limited', seconds };
  const at = now();
  const identity = { _id, member_id: account._id, provider, email, linked_at: at, last_used_at: at };
  if (!(await identities.store.add(identity))) return refused;
  // A recovery that began after the credentials were proven may have removed the links already.
  const { signed_out_at } = (await accounts.find(account._id)) ?? {};
  if (signed_out_at && signed_out_at >= authenticatedAt) {
    await removeIdentities(account._id, provider, context);
    return refused;
  }
  security.record('identity_linked', { member: account._id, address: addressKey(address) });
  const values = { provider: settings.name };
  await notify(account, { topic: 'mailIdentityLinked', values }, context);
  return undefined;
}

/** Removes every account at a provider from a member whose account is recovered. */
export async function unlinkRecovered(memberId: string, context: SignInContext): Promise<void> {
  if (await removeIdentities(memberId, undefined, context))
    context.security.record('identity_removed', { member: memberId, reason: 'recovery' });
}
