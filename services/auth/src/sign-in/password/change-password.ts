import type { Request, Response } from 'express';
import type { Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import { memberRules, passwordAllowed } from '../../accounts/passwords/password-rules.ts';
import { authenticate } from '../authenticate.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { sendNow, noticesOf } from '../../mail/queued-mail.ts';
import { changePasswordPage, messagePage } from '../pages/account-pages.ts';
import { pageQuery } from '../../tokens/sessions/page-query.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { redirect, sendExpired, sendPage } from '../pages/respond.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { changePasswordPath, hostedPagesClientId } from '../../tokens/provider/hosted-pages-client.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

const formSchema = z.object({ csrf: z.string(), current: z.string(), password: z.string() });

/** The member whose session a browser has. */
interface BrowserAccount {
  readonly account: Account;
  readonly session: Awaited<ReturnType<Provider['Session']['get']>>;
}

/** The member whose valid session a browser has, if the member is active. Staff have no account pages. */
async function browserAccount(
  request: Request,
  response: Response,
  context: SignInContext,
): Promise<BrowserAccount | undefined> {
  const { provider } = await context.tokens.server.current();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined) return undefined;
  const account = await context.accounts.find(session.accountId);
  if (account?.status !== 'active' || account.staff) return undefined;
  const isSignedOut = (session.loginTs ?? 0) * 1000 <= (account.signed_out_at?.getTime() ?? 0);
  if (isSignedOut || (await accountStateOf(account, context.profile)) !== 'active') return undefined;
  return { account, session };
}

/** A request for the page. */
interface Visit extends BrowserAccount {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
  readonly presentation: Presentation;
  readonly csrf: string;
}

/** Redirects to the sign-in, which returns here. A return without a session means that the browser blocks cookies. */
function leadToSignIn(request: Request, response: Response, context: SignInContext): void {
  if (request.query['code'] !== undefined) return sendExpired(request, response, context);
  const query = new URLSearchParams(pageQuery(request.query));
  query.set('client_id', hostedPagesClientId);
  query.set('redirect_uri', context.issuer + changePasswordPath);
  query.set('response_type', 'code');
  redirect(response, `/authorize?${query.toString()}`);
}

async function visitOf(
  request: Request,
  response: Response,
  context: SignInContext,
): Promise<Visit | undefined> {
  const found = await browserAccount(request, response, context);
  if (!found) return undefined;
  const { locale } = request.query;
  const language = typeof locale === 'string' ? locale : await currentLocale(found.account, context.profile);
  const presentation = remember(
    request,
    presentationOf({ siteid: found.account.siteid, locale: language }, context.sites),
  );
  const csrf = context.keys.seal.mac('account-csrf', found.session.uid);
  return { ...found, request, response, context, presentation, csrf };
}

function show(
  { request, response, context, presentation, csrf, account }: Visit,
  status = 200,
  problem?: string,
): void {
  const { minimum } = memberRules(account, context.sites);
  const action = changePasswordPath + pageQuery(request.query);
  const form = { action, csrf, username: account.username, minimum, problem };
  sendPage(response, changePasswordPage(presentation, form), status);
}

/** GET /account/password: the form for the signed-in member; without a session, redirects to the sign-in. */
export const showChangePassword: PageHandler = async (request, response, context) => {
  const visit = await visitOf(request, response, context);
  if (visit) show(visit);
  else leadToSignIn(request, response, context);
};

/** Whether the current password is correct, with the limits of the login form. Shows the form again if not. */
async function isRight(visit: Visit, password: string): Promise<boolean> {
  const { request, response, context, presentation, account } = visit;
  const { username: login, siteid, _id } = account;
  const realm = { staff: false, siteid };
  const device = deviceOf(request, context);
  const outcome = await authenticate({ login, password, realm, address: request.ip ?? '', device }, context);
  if (outcome.kind === 'right' && outcome.accounts.some((one) => one._id === _id)) return true;
  if (outcome.kind === 'limited') {
    response.set('Retry-After', String(outcome.seconds));
    show(visit, 429, presentation.text('limited', { minutes: Math.ceil(outcome.seconds / 60) }));
  } else show(visit, 200, presentation.text('wrongPassword'));
  return false;
}

/**
 * Sets the password and signs the member out everywhere except in this browser, before and after, because the former
 * password may sign in in between. False when the password has changed meanwhile.
 */
async function change({ account, session, context }: Visit, password: string): Promise<boolean> {
  const { accounts, security, background, now } = context;
  const { _id } = account;
  const mails = noticesOf(account, { topic: 'mailPasswordChanged' }, context);
  const after = await accounts.passwords.hash(password, _id);
  await signOutEverywhere(_id, context);
  if (!(await accounts.setPassword(account, after, now(), { mails, confirms: false }))) return false;
  await signOutEverywhere(_id, context);
  // Sessions have whole seconds: the next one is after the sign-out.
  const loginTs = Math.floor(now().getTime() / 1000) + 1;
  session.loginAccount({ accountId: _id, loginTs, amr: ['pwd'] });
  await session.persist();
  security.record('password_changed', { member: _id, reason: 'page' });
  background.run(sendNow(_id, mails, context));
  return true;
}

/** POST /account/password: replaces the current password. */
export const takeChangePassword: PageHandler = async (request, response, context) => {
  const visit = await visitOf(request, response, context);
  if (!visit) return leadToSignIn(request, response, context);
  const { presentation, account, session } = visit;
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.keys.seal.checkMac('account-csrf', session.uid, form.data.csrf))
    return show(visit, 403, presentation.text('staleForm'));
  const { current, password } = form.data;
  if (!passwordAllowed(password, memberRules(account, context.sites)))
    return show(visit, 200, presentation.text('badPassword'));
  if (!(await isRight(visit, current))) return;
  if (!(await change(visit, password))) return show(visit, 200, presentation.text('wrongPassword'));
  rememberDevice(response, deviceOf(request, context).withAccount(account._id), context);
  sendPage(response, messagePage(presentation, 'passwordSaved', 'passwordChangedWhy'));
};
