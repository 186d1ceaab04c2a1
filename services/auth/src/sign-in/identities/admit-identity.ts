import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { admitOneOf } from '../login/admit.ts';
import { hasOwnCredentials } from '../login/entered-at.ts';
import { refuseSignIn } from '../login/refuse-sign-in.ts';
import { proofFor, sendLoginForm, type Visitor } from '../login/visitor.ts';
import { accountsToEnter } from './linked-accounts.ts';

/** Tolerance for the clock of a provider, and time at its pages, in seconds. */
const [skewSeconds, pagesSeconds] = [30, 600];

/** Whether a provider has asked for credentials as recently as the request of the app wants, if it wants any. */
export function isFresh({ auth_time }: ProvenIdentity, maxAge: number | undefined, now: Date): boolean {
  if (maxAge === undefined) return true;
  return (
    auth_time !== undefined && now.getTime() / 1000 - auth_time <= (maxAge || pagesSeconds) + skewSeconds
  );
}

/**
 * Signs in the account that is linked with an identity. Without one, shows the form that links it: proof of the account is
 * needed, because an email address at a provider does not prove who owns the account here. A request for credentials needs those of
 * the account, unless the provider says that it has just asked for its own.
 */
export async function admitIdentity(visitor: Visitor, identity: ProvenIdentity): Promise<void> {
  const { context, interaction } = visitor;
  const { realm, maxAge } = interaction;
  const authenticatedAt = context.clock();
  const proven = { ...visitor, method: 'fed', authenticatedAt, askedAt: identity.auth_time } as const;
  const accounts = await accountsToEnter(identity, realm.siteid, context);
  if (!isFresh(identity, maxAge, authenticatedAt) && accounts.some(hasOwnCredentials))
    return refuseSignIn(visitor, { problem: 'notFresh' });
  if (accounts.length) return admitOneOf(proven, accounts);
  const proof = proofFor('link', [], { ...proven, identity });
  sendLoginForm(visitor, { login: identity.email, proof, reason: 'link' });
}
