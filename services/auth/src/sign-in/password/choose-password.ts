import { z } from 'zod';
import type { QueuedMail } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/addresses.ts';
import { memberRules, passwordAllowed } from '../../accounts/passwords/password-rules.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { announceChange } from '../methods/announce-change.ts';
import { replacePassword } from '../methods/replace-password.ts';
import { messagePage, newPasswordPage } from '../pages/account-pages.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { presentationOf, remember } from '../../localization/presentation.ts';
import { noticesOfRecovery } from '../methods/sign-in-methods.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import { findReset, resetLink, type Reset } from './reset-link.ts';
import { recordEvent } from '../record-event.ts';
import type { PageHandler, PageVisit, SignInContext } from '../sign-in-context.ts';

const formSchema = z.object({ password: z.string() });

const resetOf = ({ request, context }: PageVisit) => findReset(String(request.params['token']), context);

const resetPresentation = ({ request, context }: PageVisit, { account, locale }: Reset) =>
  remember(request, presentationOf({ siteid: account.siteid, locale }, context.sites));

/** Says from when on a link works. */
function sendTooEarly(visit: PageVisit, reset: Reset): void {
  const presentation = resetPresentation(visit, reset);
  const time = reset.opensAt === undefined ? '' : longTimeIn(presentation, reset.opensAt);
  sendPage(visit.response, messagePage(presentation, 'linkEarly', 'linkEarlyWhy', { time }), 403);
}

/** GET /password/:token: the form for a new password. The link stays usable. */
export const showNewPassword: PageHandler = async (visit) => {
  const { request, response, context } = visit;
  const reset = await resetOf(visit);
  if (!reset || reset.isUsed) return sendInvalidLink(visit);
  if (reset.opensAt) return sendTooEarly(visit, reset);
  const { minimum } = memberRules(reset.account, context.sites);
  const note = request.query['why'] === 'reverted' ? ('emailRevertedHereWhy' as const) : undefined;
  const form = { action: request.originalUrl, minimum, username: reset.account.username, note };
  sendPage(response, newPasswordPage(resetPresentation(visit, reset), form));
};

/** Sets the password. Resolves to the notices; undefined when the link has become worthless. */
async function change(
  reset: Reset,
  password: string,
  context: SignInContext,
): Promise<QueuedMail[] | undefined> {
  const { accounts, clock } = context;
  const { account, locale, recovery } = reset;
  const { _id } = account;
  const confirms = isSameEmail(resetAddress(account, clock()), account.email);
  const hash = await accounts.passwords.hash(password, _id);
  // A form that was sent twice changes, and alerts, once.
  const current = await findReset(reset.token, context);
  if (!current || current.isUsed) return undefined;
  const withoutTwoStep = recovery?.by_support ?? false;
  const notice = { topic: 'mailPasswordChanged', also: 'othersEnded', locale } as const;
  const mails = noticesOfRecovery(current.account, notice, { withoutTwoStep }, context);
  const effects = {
    mails,
    confirms,
    endsOthers: true,
    recovery: recovery?.id,
    endsSecondFactor: withoutTwoStep,
    // Only its own link ends a recovery begun by customer service.
    keepsRecovery: !recovery && account.recovery?.by_support === true,
  };
  const mayGoOn = async () => (await resetLink.find(reset.token, context)) !== undefined;
  const both = { read: account, current: current.account };
  if (!(await replacePassword(both, { hash, effects, mayGoOn }, context))) return undefined;
  // The mail was read by the member, whom other people's failures must not limit.
  await accounts.attempts.reset('account', _id);
  return mails;
}

/**
 * Whether a used link has set this password: the form was sent again, e.g. after a lost response. A wrong guess
 * removes the link, in the same job of the hashing queue.
 */
async function isRepeated(reset: Reset, password: string, context: SignInContext): Promise<boolean> {
  const { accounts } = context;
  return accounts.passwords.inTurn(async (compare) => {
    if (!(await resetLink.find(reset.token, context))) return false;
    const account = await accounts.find(reset.account._id);
    const isSame = await compare(password, account?.password_hash);
    if (!isSame) await resetLink.take(reset.token, context);
    return isSame;
  }, reset.account._id);
}

/** POST /password/:token: sets the new password. The link works once; the same password may be sent again. */
export const takeNewPassword: PageHandler = async (visit) => {
  const { request, response, context } = visit;
  const reset = await resetOf(visit);
  if (!reset) return sendInvalidLink(visit);
  if (reset.opensAt) return sendTooEarly(visit, reset);
  const presentation = resetPresentation(visit, reset);
  const form = formSchema.safeParse(request.body ?? {});
  const rules = memberRules(reset.account, context.sites);
  if (!form.success || !passwordAllowed(form.data.password, rules)) {
    if (reset.isUsed) return sendInvalidLink(visit);
    const problem = presentation.text('badPassword');
    const { minimum } = rules;
    const { username } = reset.account;
    const page = newPasswordPage(presentation, { action: request.originalUrl, minimum, username, problem });
    return sendPage(response, page);
  }
  const { password } = form.data;
  const notices = reset.isUsed ? undefined : await change(reset, password, context);
  if (notices) {
    recordEvent(visit, 'password_changed', { account: reset.account, reason: 'mail' });
    announceChange(reset.account, { mails: notices }, context);
  } else if (!(await isRepeated(reset, password, context))) {
    return sendInvalidLink(visit);
  }
  // The sign-in that follows is not limited by other people's failures.
  const account = (await context.accounts.find(reset.account._id)) ?? reset.account;
  rememberDevice(response, deviceOf(request, context).withAccount(account), context);
  sendPage(response, messagePage(presentation, 'passwordSaved', 'passwordSavedWhy'));
};
