import { addressKey } from '@covalence/http/address-key';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { resetAddress } from '../../accounts/addresses.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import { provenIdentity, type ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { storedLink } from '../../mail/links.ts';
import { sendLink } from '../../mail/send-link.ts';
import { admit } from '../login/admit.ts';
import { hasOwnCredentials } from '../login/entered-at.ts';
import { proofFor, sendLoginForm } from '../login/visitor.ts';
import { findAccounts } from '../find-accounts.ts';
import { duringSignIn } from '../during-sign-in.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { isToRecipient, linkPage, ofAnotherBrowser } from '../link-page.ts';
import { sentPage } from '../pages/account-pages.ts';
import { sendExpired, sendPage } from '../pages/respond.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { openProof, sealedProof } from '../login/proof.ts';
import { reclaim } from '../methods/reclaim.ts';
import { isDelayed } from '../methods/recovery.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { takeMailRequest } from '../take-mail-request.ts';
import { isFresh } from './admit-identity.ts';

/** Links that link an account at a provider, in the browser that asked for them. */
const identityLink = storedLink({
  kind: 'identity-link',
  route: '/login/:uid/identity/mail/:token',
  // It signs in. Links that only lead to a password last longer, because mail is slow.
  minutes: 10,
  schema: z.object({
    member_id: z.string(),
    /** Recipient of the mail. */
    to: z.string(),
    /** The sign-in and browser in which it was asked for. */
    browser: z.string(),
    /** Milliseconds since the epoch. */
    asked_at: z.number(),
    identity: provenIdentity,
  }),
});

async function sendLinks(
  login: string,
  identity: ProvenIdentity,
  { uid, browser, realm, locale: requested }: Interaction,
  ip: string,
  context: SignInContext,
): Promise<void> {
  const path = (account: Account) => (to: string) => {
    const content = { member_id: account._id, to, browser, asked_at: context.clock().getTime(), identity };
    return identityLink.path(content, context, { parameters: { uid } });
  };
  for (const account of await findAccounts(login, realm, context)) {
    // The link would open at once what a recovery opens after its delay.
    if (isDelayed(account, context)) continue;
    const mail = {
      topic: 'mailLinkIdentity',
      minutes: identityLink.minutes,
      requested,
      purpose: 'identity',
    } as const;
    context.security.record('identity_link_requested', { member: account._id, address: addressKey(ip) });
    await sendLink(account, { ...mail, path: path(account) }, context);
  }
}

/** POST /login/:uid/identity/mail: mails the link. The response comes first and is the same for unknown accounts. */
export const requestLink = duringSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const { data: sealed } = sealedProof.safeParse((request.body as { proof?: unknown } | undefined)?.proof);
  const proof = sealed && openProof(sealed, interaction, context);
  if (!proof || !proof.identity) return sendExpired(visit);
  const { presentation, action, headers } = interaction;
  const formPage = (problem: string, login?: string) =>
    loginPage(presentation, { ...interaction, login, problem, proof: sealed, reason: 'link' });
  const asked = await takeMailRequest(visit, formPage);
  if (!asked) return;
  const { minutes } = identityLink;
  sendPage(response, sentPage(presentation, { action, minutes, why: 'checkMailHereWhy' }), 200, headers);
  context.afterResponse.run(sendLinks(asked.login, proof.identity, interaction, request.ip ?? '', context));
});

/** Whether somebody has read the mail of an account before. */
const isProven = (account: Account, now: Date): boolean =>
  account.email_confirmed_at !== undefined || resetAddress(account, now) !== account.email;

/** Gives an account to the first reader of its mail, and confirms the address; undefined when it is gone or has another address. */
async function takeOver({ _id, email }: Account, context: SignInContext): Promise<Account | undefined> {
  const { accounts, clock } = context;
  const change = (current: Account) =>
    current.email === email ? { email, email_confirmed_at: clock() } : undefined;
  return (await reclaim(_id, { change }, context)) && accounts.find(_id);
}

/**
 * /login/:uid/identity/mail/:token: links the account at the provider and signs in, once. Nobody has confirmed an address before
 * its first reader, so somebody else may have made the account: whatever opens it ends.
 */
export const linkIdentityPage = linkPage({
  kind: identityLink,
  async read(link, visit) {
    if (!isToRecipient(link, visit.context.clock())) return undefined;
    if (link.asked_at <= (link.account.signed_out_at?.getTime() ?? 0)) return undefined;
    const interaction = await findInteraction(visit);
    if (interaction?.browser !== link.browser) return ofAnotherBrowser(link);
    const { presentation, headers } = interaction;
    return { ...link, interaction, presentation, headers };
  },
  async question({ account }, { profile }) {
    const isDeactivated = (await accountStateOf(account, profile)) === 'deactivated';
    const text = isDeactivated ? 'confirmLinkAgainWhy' : 'confirmLinkWhy';
    return { title: 'linkAccount', text, button: 'proceed' };
  },
  async confirm({ account, identity, interaction }, { token, request, response, context }) {
    if (!(await identityLink.take(token, context))) return 'worthless';
    const owned = isProven(account, context.clock()) ? account : await takeOver(account, context);
    if (!owned) return 'worthless';
    // After the sign-out of a reclaimed account.
    const signedOut = owned.signed_out_at?.getTime() ?? 0;
    const authenticatedAt = new Date(Math.max(context.clock().getTime(), signedOut + 1));
    const proven = {
      request,
      response,
      context,
      identity,
      interaction,
      method: 'fed',
      authenticatedAt,
      askedAt: identity.auth_time,
      // The first one was at the provider.
      isSecondEntry: true,
    } as const;
    if (isFresh(identity, interaction.maxAge, authenticatedAt) || !hasOwnCredentials(owned))
      await admit(proven, owned);
    else {
      // The app wants credentials, which the provider has not asked for: those of the account link it as well.
      const problem = interaction.presentation.text('notFresh');
      const proof = proofFor('link', [], proven);
      sendLoginForm(proven, { login: owned.email, proof, reason: 'link', problem });
    }
    return 'sent';
  },
});
