import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { admitOneOf, sealed, type Visitor } from '../admission.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { accountsToEnter } from './linked-accounts.ts';

/**
 * Signs in the account that is linked with an identity. Without one, shows the form that links it: proof of the account is
 * needed, because an e-mail address at a provider does not prove who owns the account here.
 */
export async function admitIdentity(visitor: Visitor, identity: ProvenIdentity): Promise<void> {
  const { response, context, interaction } = visitor;
  const admission = { ...visitor, method: 'fed', authenticatedAt: context.now() } as const;
  const accounts = await accountsToEnter(identity, interaction.realm.siteid, context);
  if (accounts.length) return admitOneOf(admission, accounts);
  const proof = sealed('link', [], { ...admission, identity });
  response
    .set(interaction.headers)
    .send(
      loginPage(interaction.presentation, { ...interaction, login: identity.email, proof, reason: 'link' }),
    );
}
