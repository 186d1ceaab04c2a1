import type { Request, Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { Account } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import { noteSetting, pageSetting, type PageSetting } from '../localization/presentation.ts';
import { pageHeaders } from './pages/style.ts';
import { giveResult, type SignInResult } from '../tokens/sessions/sign-in-result.ts';
import { isStaffClient } from '../tokens/provider/sign-in-policy.ts';
import type { Realm } from './find-accounts.ts';
import { deviceOf, rememberDevice, type KnownDevice } from '../tokens/sessions/known-device.ts';

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A sign-in under way: the authorization request that waits for it, and how its pages look. */
export interface Interaction {
  readonly uid: string;
  /** Where the form is sent. */
  readonly action: string;
  readonly csrf: string;
  /** The page for a forgotten password; none for staff, who have no e-mail addresses here. */
  readonly forgotten: string | undefined;
  /** Where a link for this browser is asked for; none for staff either. */
  readonly device: string | undefined;
  readonly realm: Realm;
  readonly setting: PageSetting;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the app that asks. */
  readonly app: string;
  readonly details: Details;
  readonly provider: Provider;
}

/**
 * The sign-in that a request belongs to: its cookie and its address have to name the same one. Undefined when it has
 * expired or was begun in another browser.
 */
export async function findInteraction(
  request: Request,
  response: Response,
  context: Context,
): Promise<Interaction | undefined> {
  const { provider } = await context.oidc.current();
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  });
  if (!details || details.uid !== request.params['uid']) return undefined;
  const { client_id, siteid } = details.params as Record<string, string | undefined>;
  const client = await provider.Client.find(client_id ?? '');
  if (!client) return undefined;
  const action = `/login/${details.uid}`;
  const setting = noteSetting(request, pageSetting(details.params, context.sites));
  return {
    uid: details.uid,
    action,
    forgotten: isStaffClient(client) ? undefined : `${action}/forgotten`,
    device: isStaffClient(client) ? undefined : `${action}/device`,
    csrf: context.seal.mac('login-csrf', details.uid),
    realm: { staff: isStaffClient(client), siteid: siteid === undefined ? undefined : Number(siteid) },
    setting,
    headers: pageHeaders(client.redirectUris),
    app: client.clientName ?? '',
    details,
    provider,
  };
}

/**
 * Ends the interaction with an account whose credentials were given at `givenAt`, and leads on to the authorization request.
 * This browser knows the account from now on. A session of another account that it has by now ends here, so that the provider
 * need not ask for a sign-out in between; which one it had when the sign-in began is of no meaning any more.
 */
export async function finishInteraction(
  { details, provider }: Interaction,
  account: Account,
  givenAt: Date,
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined && session.accountId !== account._id) await session.destroy();
  if (details.session) {
    details.session = undefined;
    await details.persist();
  }
  const given = givenAt.getTime();
  const login = { accountId: account._id, amr: ['pwd'], ts: Math.floor(given / 1000) };
  const device = deviceOf(request, context);
  const browser = { id: device.id, cookie: device.withAccount(account._id) };
  goOn(details, { login, given_at: given }, browser, response, context);
}

/** Leads on to the authorization request with what the form came to in this browser, which is told its name along with it. */
export function goOn(
  { uid, returnTo }: Details,
  result: SignInResult,
  { id, cookie }: Pick<KnownDevice, 'id' | 'cookie'>,
  response: Response,
  context: Context,
): void {
  const { pathname, search } = new URL(returnTo);
  rememberDevice(response, cookie, context);
  giveResult(response, { uid, path: pathname, device: id }, result, context);
  response
    .status(303)
    .set({ Location: pathname + search, 'Cache-Control': 'no-store' })
    .end();
}
