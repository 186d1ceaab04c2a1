import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { passwordAllowed, standardMinimum } from '../../accounts/passwords/password-rules.ts';
import type { Context } from '../../context.ts';
import { authenticate } from '../authenticate.ts';
import { browserAccount, type BrowserAccount } from '../browser-account.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { showExpired } from '../show-login.ts';
import { sendWritten, writeNotices } from '../../mail/queued-mail.ts';
import { mailSetting } from '../../mail/mail-context.ts';
import { changePasswordPage, messagePage } from '../pages/account-pages.ts';
import { carriedQuery } from '../pages/provider-pages.ts';
import { noteSetting, type PageSetting } from '../../localization/presentation.ts';
import { pageHeaders } from '../pages/style.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { changePasswordPath, ownClientId } from '../../tokens/provider/hosted-pages-client.ts';

const formSchema = z.object({ csrf: z.string(), current: z.string(), password: z.string() });

/** One request for the page. */
interface Visit extends BrowserAccount {
  readonly request: Request;
  readonly response: Response;
  readonly context: Context;
  readonly setting: PageSetting;
  readonly csrf: string;
}

/** Leads to the sign-in, which leads back. Who comes from there and is still nobody has a browser that keeps no cookies. */
function leadToSignIn(request: Request, response: Response, context: Context): void {
  if (request.query['code'] !== undefined) return showExpired(request, response, context);
  const query = new URLSearchParams(carriedQuery(request.query));
  query.set('client_id', ownClientId);
  query.set('redirect_uri', context.issuer + changePasswordPath);
  query.set('response_type', 'code');
  response
    .status(303)
    .set({ Location: `/authorize?${query.toString()}`, 'Cache-Control': 'no-store' })
    .end();
}

async function visitOf(request: Request, response: Response, context: Context): Promise<Visit | undefined> {
  const found = await browserAccount(request, response, context);
  if (!found) return undefined;
  const { locale } = request.query;
  const wanted = typeof locale === 'string' ? locale : await currentLocale(found.account, context.profile);
  const setting = noteSetting(request, mailSetting(found.account, context.sites, wanted));
  const csrf = context.seal.mac('account-csrf', found.session.uid);
  return { ...found, request, response, context, setting, csrf };
}

const siteOf = ({ siteid }: Account, { sites }: Context) => sites.get(siteid);

function show(
  { request, response, context, setting, csrf, account }: Visit,
  status = 200,
  problem?: string,
): void {
  const minimum = siteOf(account, context)?.password_minimum ?? standardMinimum;
  const action = changePasswordPath + carriedQuery(request.query);
  const form = { action, csrf, username: account.username, minimum, problem };
  response.status(status).set(pageHeaders()).send(changePasswordPage(setting, form));
}

/** GET /account/password: the form for a member who is signed in in this browser; the sign-in comes first where nobody is. */
export async function showChangePassword(
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const visit = await visitOf(request, response, context);
  if (visit) show(visit);
  else leadToSignIn(request, response, context);
}

/** Whether the current password is right, counted as an entry of the login form is; shows the form again where not. */
async function isRight(visit: Visit, password: string): Promise<boolean> {
  const { request, response, context, setting, account } = visit;
  const { username: login, siteid, _id } = account;
  const realm = { staff: false, siteid };
  const device = deviceOf(request, context);
  const outcome = await authenticate({ login, password, realm, address: request.ip ?? '', device }, context);
  if (outcome.kind === 'right' && outcome.accounts.some((one) => one._id === _id)) return true;
  if (outcome.kind === 'limited') {
    response.set('Retry-After', String(outcome.seconds));
    show(visit, 429, setting.text('limited', { minutes: Math.ceil(outcome.seconds / 60) }));
  } else show(visit, 200, setting.text('wrongPassword'));
  return false;
}

/**
 * Sets the password and ends every sign-in but this browser's: those there are before, and those that the old password made in the
 * meantime after. False where the account has another password by now.
 */
async function change({ account, session, context }: Visit, password: string): Promise<boolean> {
  const { accounts, passwords, security, background, now } = context;
  const { _id } = account;
  const letters = writeNotices(account, { topic: 'mailPasswordChanged' }, context);
  const after = await passwords.hash(password, _id);
  await signOutEverywhere(_id, context);
  if (!(await accounts.setPassword(account, after, now(), { letters, confirms: false }))) return false;
  await signOutEverywhere(_id, context);
  // Sessions know the second only: the next one is after the sign-out.
  const loginTs = Math.floor(now().getTime() / 1000) + 1;
  session.loginAccount({ accountId: _id, loginTs, amr: ['pwd'] });
  await session.persist();
  security.record('password_changed', { member: _id, reason: 'page' });
  background.run(sendWritten(_id, letters, context));
  return true;
}

/** POST /account/password: takes the current password and a new one. */
export async function takeChangePassword(
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const visit = await visitOf(request, response, context);
  if (!visit) return leadToSignIn(request, response, context);
  const { setting, account, session } = visit;
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.seal.checkMac('account-csrf', session.uid, form.data.csrf))
    return show(visit, 403, setting.text('staleForm'));
  const { current, password } = form.data;
  const { username, email } = account;
  const site = siteOf(account, context);
  const minimum = site?.password_minimum ?? standardMinimum;
  if (!passwordAllowed(password, { minimum, username, email, site }))
    return show(visit, 200, setting.text('badPassword'));
  if (!(await isRight(visit, current))) return;
  if (!(await change(visit, password))) return show(visit, 200, setting.text('wrongPassword'));
  rememberDevice(response, deviceOf(request, context).withAccount(account._id), context);
  response.set(pageHeaders()).send(messagePage(setting, 'passwordSaved', 'passwordChangedWhy'));
}
