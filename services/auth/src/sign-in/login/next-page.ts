import type { Account, Recovery } from '../../accounts/account.ts';
import { standardMinimum } from '../../accounts/passwords/password-rules.ts';
import { hasSecondFactor } from '../../accounts/second-factors.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { recoveryNoticePage } from '../pages/account-page.ts';
import { newPasswordPage } from '../pages/account-pages.ts';
import { choicePage } from '../pages/sign-in-pages.ts';
import { showEnrollment, showSecondFactor } from './show-second-factor.ts';
import { proofFor, sendLoginForm, sendLoginPage, type ProvenVisitor } from './visitor.ts';

/** Asks for the credentials again, to confirm the reactivation. */
export function askToReactivate(visitor: ProvenVisitor, account: Account): void {
  sendLoginForm(visitor, { proof: proofFor('reactivate', [account], visitor), reason: 'reactivate' });
}

/** Asks for the site, after credentials that are correct on several. */
export function askForSite(visitor: ProvenVisitor, accounts: readonly Account[]): void {
  const { interaction, context } = visitor;
  const proof = proofFor('site', accounts, visitor);
  const sites = accounts.flatMap(({ siteid }) => context.sites.get(siteid) ?? []);
  sendLoginPage(visitor, choicePage(interaction.presentation, { ...interaction, proof, sites }));
}

/** Asks for the second factor, or adds one: the first one of a staff account, or another one after a recovery code. */
export function askForFactor(visitor: ProvenVisitor, account: Account): Promise<void> | void {
  if (hasSecondFactor(account) && visitor.recoveryCode === undefined)
    return showSecondFactor(visitor, account, { proof: proofFor('factor', [account], visitor) });
  return showEnrollment(visitor, account, { proof: proofFor('enroll', [account], visitor) });
}

/** Asks for a password in place of one that was generated for a staff account. `again` is the form with its problem. */
export function askForPassword(
  visitor: ProvenVisitor,
  account: Account,
  again?: { readonly proof: string; readonly problem: 'badPassword' | 'givenPassword' },
): void {
  const { action, csrf, presentation } = visitor.interaction;
  const form = {
    action: `${action}/password`,
    csrf,
    proof: again?.proof ?? proofFor('password', [account], visitor),
    username: account.username,
    minimum: standardMinimum,
    note: 'initialPasswordWhy' as const,
    problem: again && presentation.text(again.problem),
  };
  sendLoginPage(visitor, newPasswordPage(presentation, form));
}

/** Says at once that a recovery waits: the sign-in is complete, and `next` goes on with it. */
export function showRecovery(
  visitor: ProvenVisitor,
  account: Account,
  { id, from, by_support }: Recovery,
  next: string,
): void {
  const { action, csrf, presentation } = visitor.interaction;
  const isBySupport = by_support === true;
  const warning = { time: longTimeIn(presentation, from), isBySupport, canStop: !isBySupport };
  const proof = proofFor('recovery', [account], visitor);
  const form = { action: `${action}/recovery`, csrf, proof, recovery: id };
  sendLoginPage(visitor, recoveryNoticePage(presentation, { form, warning, next }));
}
