import { isOffered } from '../../accounts/identities/identity-providers.ts';
import { identityId } from '../../accounts/identities/identity-store.ts';
import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import type { Account } from '../../accounts/account.ts';
import { siteidsOf } from '../find-accounts.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** The accounts that an account at a provider signs in, at one site or at all that offer the provider. */
export async function linkedAccounts(
  { provider, subject }: Pick<ProvenIdentity, 'provider' | 'subject'>,
  siteid: number | undefined,
  { accounts, identities, sites }: SignInContext,
): Promise<Account[]> {
  const settings = identities.providers.get(provider)?.provider;
  const ids = siteidsOf({ staff: false, siteid }, sites)
    .filter((id) => settings && isOffered(settings, id))
    .map((id) => identityId(provider, id, subject));
  return accounts.identities.findAccounts(ids);
}

/** The same accounts, for a sign-in: records that the account at the provider was used. */
export async function accountsToEnter(
  identity: Pick<ProvenIdentity, 'provider' | 'subject'>,
  siteid: number | undefined,
  context: SignInContext,
): Promise<Account[]> {
  const { provider, subject } = identity;
  const linked = await linkedAccounts(identity, siteid, context);
  await Promise.all(
    linked.map((account) =>
      context.accounts.identities.setUsed(
        account._id,
        identityId(provider, account.siteid, subject),
        context.clock(),
      ),
    ),
  );
  return linked;
}
