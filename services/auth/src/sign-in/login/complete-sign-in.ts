import type { Account } from '../../accounts/account.ts';
import { deviceOf } from '../../tokens/sessions/known-device.ts';
import { amrOf, isTwoFactor } from '../../tokens/sessions/sign-in-result.ts';
import { resume } from '../interaction.ts';
import { redirect } from '../pages/respond.ts';
import { recordEvent } from '../record-event.ts';
import { recoveryOf } from '../methods/recovery.ts';
import { announceSignIn } from './announce-sign-in.ts';
import { enteredAt } from './entered-at.ts';
import { linkIdentity } from './link-identity.ts';
import { showRecovery } from './next-page.ts';
import { isOffered, offerPasskey } from './offer-passkey.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { showRecoveryCodes } from './show-second-factor.ts';
import type { ProvenVisitor } from './visitor.ts';

/**
 * Sets the result for the account; resolves to the path that resumes the authorization request. The browser becomes a known device
 * of the account. A session of another one ends, so that the provider does not ask for a sign-out first.
 */
async function finishInteraction(visitor: ProvenVisitor, account: Account): Promise<string> {
  const { interaction, method, factor, authenticatedAt, request, response, context } = visitor;
  const { details, provider } = interaction;
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined && session.accountId !== account._id) await session.destroy();
  if (details.session) {
    details.session = undefined;
    await details.persist();
  }
  const amr = amrOf(method, factor);
  const login = { accountId: account._id, amr, ts: enteredAt(visitor, account) };
  const device = deviceOf(request, context);
  const browser = { id: device.id, cookie: device.withAccount(account, isTwoFactor(amr)) };
  return resume(details, { login, authenticated_at: authenticatedAt.getTime() }, browser, response, context);
}

/** Signs the account in, with the account at a provider that is to be linked, and shows what comes before the app. */
export async function completeSignIn(visitor: ProvenVisitor, account: Account): Promise<void> {
  const { identity, method, request, response, context, interaction } = visitor;
  const refusal = identity && (await linkIdentity(visitor, account, identity));
  // No mailed link helps against this limit.
  const here = { ...visitor, interaction: { ...interaction, device: undefined } };
  if (refusal) return refuseSignIn(here, { ...refusal, account });
  const isKnown = visitor.isRegistration || deviceOf(request, context).knows(account);
  const { app: client, details } = interaction;
  if (!isKnown) await announceSignIn(account, { client, parameters: details.params }, context);
  const next = await finishInteraction(visitor, account);
  recordEvent(visitor, account.staff ? 'staff_sign_in' : 'sign_in', { account });
  if (visitor.recoveryCodes) return showRecoveryCodes(visitor, visitor.recoveryCodes, next);
  const recovery = recoveryOf(account, context.clock());
  if (recovery && method === 'pop') return showRecovery(visitor, account, recovery, next);
  if (isOffered(visitor, account)) return offerPasskey(visitor, account, next);
  redirect(response, next);
}
