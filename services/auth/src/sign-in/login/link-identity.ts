import type { Account } from '../../accounts/account.ts';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import { identityId } from '../../accounts/identities/identity-store.ts';
import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { announceChange, credentialAlert } from '../methods/announce-change.ts';
import { secondsToAdd } from '../methods/sign-in-methods.ts';
import { recordEvent } from '../record-event.ts';
import type { ProvenVisitor } from './visitor.ts';

/** Why an account at a provider is not linked. */
export interface LinkRefusal {
  readonly problem: 'identityTaken' | 'limited';
  /** Seconds after which it may be tried again. */
  readonly seconds?: number;
}

const refused: LinkRefusal = { problem: 'identityTaken' };

/**
 * Links an account at a provider, which signs the member in from then on, together with a notice by mail. Refused when it signs in
 * somebody else, the member has another account at this provider, the site does not offer it, the account was recovered meanwhile,
 * or too many sign-in methods were added. Idempotent.
 */
export async function linkIdentity(
  { request, context, authenticatedAt }: ProvenVisitor,
  account: Account,
  { provider, subject, email }: ProvenIdentity,
): Promise<LinkRefusal | undefined> {
  const { accounts, identities, clock } = context;
  const { _id: member, siteid, signed_out_at } = account;
  const settings = identities.providers.get(provider)?.provider;
  if (!settings || !isOffered(settings, siteid)) return refused;
  const id = identityId(provider, siteid, subject);
  if (account.identities?.some((one) => one.id === id)) return undefined;
  if (signed_out_at && signed_out_at >= authenticatedAt) return refused;
  const seconds = await secondsToAdd(member, context);
  if (seconds) return { problem: 'limited', seconds };
  const at = clock();
  const mails = noticesOf(
    account,
    { topic: 'mailIdentityLinked', values: { provider: settings.name } },
    context,
  );
  const identity = { id, provider, email, linked_at: at, last_used_at: at };
  if (!(await accounts.identities.add(account, identity, mails))) return refused;
  recordEvent({ request, context }, 'identity_linked', { account });
  const alert = credentialAlert('provider', 'added');
  announceChange(account, { mails, alert }, context);
  return undefined;
}
