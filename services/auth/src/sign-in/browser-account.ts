import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import type { Provider } from 'oidc-provider';
import type { Account } from '../accounts/account.ts';
import { currentLocale } from '../accounts/member-presentation.ts';
import { accountStateOf } from '../accounts/member-state.ts';
import { needsTwoFactors } from '../accounts/second-factors.ts';
import {
  anonymousPresentation,
  presentationOf,
  remember,
  type Presentation,
} from '../localization/presentation.ts';
import { accountPaths, hostedPagesClientId } from '../tokens/provider/hosted-pages-client.ts';
import { establishedAt } from '../tokens/sessions/established-at.ts';
import { pageQuery } from '../tokens/sessions/page-query.ts';
import { isTwoFactor } from '../tokens/sessions/sign-in-result.ts';
import { doneTexts, staffPage, type DoneText, type MemberPage } from './pages/member-page.ts';
import { redirect, sendExpired, sendPage } from './pages/respond.ts';
import type { PageVisit } from './sign-in-context.ts';

/** The member whose session a browser has. */
interface BrowserAccount {
  readonly account: Account;
  readonly session: Awaited<ReturnType<Provider['Session']['get']>>;
}

/** The member whose valid session a browser has, if the member is active. Staff have no account pages. */
async function browserAccount({
  request,
  response,
  context,
}: PageVisit): Promise<BrowserAccount | undefined> {
  const { provider } = await context.tokens.server.current();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined) return undefined;
  const account = await context.accounts.find(session.accountId);
  if (account?.status !== 'active' || account.staff) return undefined;
  // From before two-step sign-in was turned on.
  if (needsTwoFactors(account, context.secondFactor) && !isTwoFactor(session.amr)) return undefined;
  const isSignedOut = establishedAt(session) <= (account.signed_out_at?.getTime() ?? 0);
  if (isSignedOut || (await accountStateOf(account, context.profile)) !== 'active') return undefined;
  return { account, session };
}

/** A request of a signed-in member for a page of the account. */
export interface Visit extends BrowserAccount, PageVisit {
  readonly presentation: Presentation;
  readonly csrf: string;
}

/** Whether the credentials of the session were entered recently. */
export const isRecent = ({ session, context }: Visit): boolean =>
  context.clock().getTime() / 1000 - (session.loginTs ?? 0) <= recentSignInSeconds;

/** Whether a passkey has proven who signed in. */
export const isByPasskey = ({ session }: Visit): boolean => session.amr?.includes('pop') ?? false;

/** Whether a member of staff is signed in with the browser. */
async function isOfStaff({ request, response, context }: PageVisit): Promise<boolean> {
  const { provider } = await context.tokens.server.current();
  const { accountId } = await provider.Session.get(provider.createContext(request, response));
  return accountId !== undefined && (await context.accounts.find(accountId))?.staff === true;
}

/**
 * Redirects to the sign-in, which returns to `path`; `recent` asks for credentials even with a session. A return without
 * a session means that the browser blocks cookies.
 */
export async function leadToSignIn(
  visit: PageVisit,
  { path, recent }: { readonly path: string; readonly recent: boolean },
): Promise<void> {
  const { request, response, context } = visit;
  const isOther = request.query['account'] === 'other';
  if (!isOther && (await isOfStaff(visit))) {
    const other = new URLSearchParams([
      ...new URLSearchParams(pageQuery(request.query)),
      ['account', 'other'],
    ]);
    const page = staffPage(anonymousPresentation(request, context.sites), `${path}?${other.toString()}`);
    return sendPage(response, page);
  }
  if (request.query['code'] !== undefined) return sendExpired(visit);
  const query = new URLSearchParams(pageQuery(request.query));
  query.set('client_id', hostedPagesClientId);
  query.set('redirect_uri', context.issuer + path);
  query.set('response_type', 'code');
  if (recent || isOther) query.set('prompt', 'login');
  redirect(response, `/authorize?${query.toString()}`);
}

/** The visit of a request; undefined when nobody is signed in. */
export async function visitOf(visit: PageVisit): Promise<Visit | undefined> {
  const { request, context } = visit;
  const found = await browserAccount(visit);
  if (!found) return undefined;
  const { locale } = request.query;
  const language = typeof locale === 'string' ? locale : await currentLocale(found.account, context.profile);
  const presentation = remember(
    request,
    presentationOf({ siteid: found.account.siteid, locale: language }, context.sites),
  );
  const csrf = context.keys.seal.mac('account-csrf', found.session.uid);
  return { ...visit, ...found, presentation, csrf };
}

/** The visit of a member with a recent sign-in; otherwise leads there. A stranger at an open browser sees nothing. */
export async function recentVisit(page: PageVisit, path: string): Promise<Visit | undefined> {
  const visit = await visitOf(page);
  if (visit && isRecent(visit)) return visit;
  await leadToSignIn(page, { path, recent: true });
  return undefined;
}

/** Leads from a form of such a page to `path`, which says what was done. The MAC keeps others from putting words on the page. */
export function redirectDone(
  { request, response, session, context }: Visit,
  path: string,
  done: DoneText,
): void {
  const query = new URLSearchParams(pageQuery(request.query));
  query.set('done', `${done}.${context.keys.seal.mac('account-done', `${session.uid}:${done}`)}`);
  redirect(response, `${path}?${query.toString()}`);
}

/** The text of the previous form's success, if its MAC is valid. */
function doneOf({ request, session, context }: Visit): DoneText | undefined {
  const { done: given } = request.query;
  const [named, mac = ''] = typeof given === 'string' ? given.split('.') : [];
  const done = doneTexts.find((one) => one === named);
  return done && context.keys.seal.checkMac('account-done', `${session.uid}:${done}`, mac) ? done : undefined;
}

/** The parts that the page at `path` shares with every page of the account. */
export function memberPageOf(visit: Visit, path: string): MemberPage {
  const query = pageQuery(visit.request.query);
  return { action: path + query, back: accountPaths.start + query, csrf: visit.csrf, done: doneOf(visit) };
}
