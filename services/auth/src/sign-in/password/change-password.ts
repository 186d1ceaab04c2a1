import { z } from 'zod';
import { memberRules, passwordAllowed } from '../../accounts/passwords/password-rules.ts';
import { authenticate } from '../authenticate.ts';
import { announceChange } from '../methods/announce-change.ts';
import { replacePassword } from '../methods/replace-password.ts';
import {
  isByPasskey,
  isRecent,
  leadToSignIn,
  memberPageOf,
  visitOf,
  type Visit,
} from '../browser-account.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { changePasswordPage, type ChangePasswordForm } from '../pages/account-pages.ts';
import { memberMessage, type MemberPage } from '../pages/member-page.ts';
import { setEstablished } from '../../tokens/sessions/established-at.ts';
import { memberPage } from '../member-page.ts';
import type { Problem } from '../pages/respond.ts';
import { isTwoFactor } from '../../tokens/sessions/sign-in-result.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import type { PageVisit } from '../sign-in-context.ts';

const formSchema = z.object({
  current: z.string().default(''),
  password: z.string(),
  /** Also ends the other sign-in methods, which may be somebody else's. */
  others: z.literal('end').optional(),
});

/**
 * Whether the current password proves that it is the member. A sign-in of just now with a passkey does so, too: it gets the account
 * back from who knows the password. A member without a password needs a sign-in of just now.
 */
const needsCurrent = (visit: Visit): boolean =>
  visit.account.password_hash !== undefined && !(isByPasskey(visit) && isRecent(visit));

/** The visit of a member who may change the password here; otherwise leads to the sign-in. */
async function ownVisit(page: PageVisit, path: string): Promise<Visit | undefined> {
  const visit = await visitOf(page);
  const hasPassword = visit?.account.password_hash !== undefined;
  if (visit && (hasPassword || isRecent(visit))) return visit;
  await leadToSignIn(page, { path, recent: visit !== undefined });
  return undefined;
}

/** A problem of a form, and the field in error. */
type FieldProblem = Problem & Pick<ChangePasswordForm, 'wrong'>;

/** The problem with the current password, under the limits of the login form. */
async function problemOf(visit: Visit, password: string): Promise<FieldProblem | undefined> {
  const { username: login, siteid, _id } = visit.account;
  const outcome = await authenticate(visit, { login, password, realm: { staff: false, siteid } });
  if (outcome.kind === 'right' && outcome.accounts.some((one) => one._id === _id)) return undefined;
  if (outcome.kind === 'limited') return { seconds: outcome.seconds, wrong: 'current' };
  return { problem: 'wrongPassword', wrong: 'current' };
}

/** Sets the password. Only this browser stays signed in. False when the password has changed meanwhile. */
async function change(visit: Visit, password: string, endsOthers: boolean): Promise<boolean> {
  const { account, session, context } = visit;
  const { accounts, security, clock } = context;
  const { _id } = account;
  const mails = noticesOf(
    account,
    { topic: 'mailPasswordChanged', ...(endsOthers && { also: 'othersEnded' as const }) },
    context,
  );
  const hash = await accounts.passwords.hash(password, _id);
  // A form that was sent twice changes, and alerts, once.
  const current = await accounts.find(_id);
  if (!current || current.password_hash !== account.password_hash) return false;
  const effects = {
    mails,
    confirms: false,
    endsOthers,
    // A visitor who knows the password must not stop the owner's recovery.
    keepsRecovery: !isByPasskey(visit) || account.recovery?.by_support === true,
  };
  if (!(await replacePassword({ read: account, current }, { hash, effects }, context))) return false;
  const at = clock().getTime();
  const amr = needsCurrent(visit) && !isTwoFactor(session.amr) ? ['pwd'] : session.amr;
  session.loginAccount({ accountId: _id, loginTs: Math.floor(at / 1000), amr });
  // After the sign-out.
  setEstablished(session, at + 1);
  await session.persist();
  security.record('password_changed', { member: _id, reason: 'page' });
  announceChange(account, { mails }, context);
  return true;
}

/** /account/password: replaces the current password. Without a session, redirects to the sign-in. */
export const ownPasswordPage = memberPage({
  path: accountPaths.password,
  form: formSchema,
  open: ownVisit,
  page(visit, shown: MemberPage & Pick<ChangePasswordForm, 'wrong'>) {
    const { account, context, presentation } = visit;
    const { minimum } = memberRules(account, context.sites);
    const form = { ...shown, username: account.username, minimum, needsCurrent: needsCurrent(visit) };
    return changePasswordPage(presentation, form);
  },
  async take(visit, { current, password, others }): Promise<FieldProblem | { readonly page: string }> {
    const { request, response, context, presentation, account } = visit;
    if (!passwordAllowed(password, memberRules(account, context.sites)))
      return { problem: 'badPassword', wrong: 'password' };
    const problem = needsCurrent(visit) ? await problemOf(visit, current) : undefined;
    if (problem) return problem;
    if (!(await change(visit, password, others !== undefined))) return { problem: 'staleForm' };
    const after = (await context.accounts.find(account._id)) ?? account;
    rememberDevice(response, deviceOf(request, context).withAccount(after), context);
    const { back } = memberPageOf(visit, accountPaths.password);
    const said = [
      presentation.text('passwordChangedWhy'),
      ...(others ? [presentation.text('othersEnded')] : []),
    ];
    return { page: memberMessage(presentation, 'passwordSaved', said, back) };
  },
});
