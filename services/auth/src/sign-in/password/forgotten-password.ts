import type { Account, Recovery } from '../../accounts/account.ts';
import { recoveryNames } from '../../accounts/names/claims.ts';
import { findAccounts } from '../find-accounts.ts';
import { duringMemberSignIn } from '../during-sign-in.ts';
import type { Interaction } from '../interaction.ts';
import { takeMailRequest } from '../take-mail-request.ts';
import { sendLink } from '../../mail/send-link.ts';
import { forgottenPage, sentPage } from '../pages/account-pages.ts';
import { sendPage } from '../pages/respond.ts';
import { minutesUntil, resetLink, resetPath } from './reset-link.ts';
import { beginRecovery, isDelayed } from '../methods/recovery.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { presentationOf } from '../../localization/presentation.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** GET /login/:uid/forgotten: asks for username or email address. */
export const showForgotten = duringMemberSignIn(({ response, interaction }) => {
  sendPage(response, forgottenPage(interaction.presentation, interaction), 200, interaction.headers);
});

/**
 * Mails a link for a new password, in the requested locale, else the member's. The link of an account with passkeys works later,
 * and its owner is notified at once, at the addresses of `recipient`.
 */
export async function sendReset(
  account: Account,
  requested: string | undefined,
  context: SignInContext,
  recipient = account,
): Promise<void> {
  const isLate = isDelayed(account, context);
  const recovery = isLate ? await beginRecovery(account, context, { recipient }) : undefined;
  if (!isLate || recovery) await sendResetLink(account, recovery, requested, context);
}

/** Mails a link for a new password, of a recovery or of none. */
export async function sendResetLink(
  account: Account,
  recovery: Recovery | undefined,
  requested: string | undefined,
  context: SignInContext,
): Promise<void> {
  const { siteid } = account;
  const recoveryTopic = recovery?.by_support ? 'mailSupportLink' : 'mailRecovery';
  const timeIn = (locale: string | undefined, date: Date) =>
    longTimeIn(presentationOf({ siteid, locale }, context.sites), date);
  await sendLink(
    account,
    {
      topic: recovery ? recoveryTopic : 'mailReset',
      minutes: recovery ? minutesUntil(recovery.until, context.clock()) : resetLink.minutes,
      requested,
      purpose: recovery?.by_support ? 'support' : 'password',
      values:
        recovery &&
        ((locale) => ({
          from: timeIn(locale, recovery.from),
          until: timeIn(locale, recovery.until),
        })),
      path: (_to, locale) => resetPath(account, locale, context, recovery),
    },
    context,
  );
}

async function sendResets(
  login: string,
  address: string,
  interaction: Interaction,
  context: SignInContext,
): Promise<void> {
  const namesOf = (account: Account) => recoveryNames(account, context.clock());
  const accounts = await findAccounts(login, interaction.realm, context, namesOf);
  for (const account of accounts) {
    const details = { member: account._id, client: interaction.clientId, address };
    context.security.record('password_reset_requested', details);
    await sendReset(account, interaction.locale, context);
  }
}

/** POST /login/:uid/forgotten: responds first and alike for unknown accounts, then mails links. */
export const submitForgotten = duringMemberSignIn(async (visit) => {
  const { response, context, interaction } = visit;
  const { presentation, action, headers } = interaction;
  const formPage = (problem: string) => forgottenPage(presentation, { ...interaction, problem });
  const asked = await takeMailRequest(visit, formPage);
  if (!asked) return;
  sendPage(response, sentPage(presentation, { action, why: 'checkMailLinkWhy' }), 200, headers);
  context.afterResponse.run(sendResets(asked.login, asked.address, interaction, context));
});
