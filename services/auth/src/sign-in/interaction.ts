import type { Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { Account } from '../accounts/account.ts';
import { androidOrigins } from '../clients/app-associations.ts';
import type { ClientApplication } from '../clients/client-store.ts';
import { remember, presentationOf, type Presentation } from '../localization/presentation.ts';
import { pageHeaders } from './pages/style.ts';
import {
  continuePromptName,
  createPromptName,
  setResult,
  type SignInResult,
} from '../tokens/sessions/sign-in-result.ts';
import { isStaffClient, maxAgeParameter } from '../tokens/provider/sign-in-policy.ts';
import type { Realm } from './find-accounts.ts';
import { isOffered } from '../accounts/identities/identity-providers.ts';
import type { ProviderChoice } from './pages/sign-in-pages.ts';
import { passkeyChoice, type PasskeyData } from './webauthn/ceremony.ts';
import { deviceOf, rememberDevice, type KnownDevice } from '../tokens/sessions/known-device.ts';
import type { PageVisit, SignInContext } from './sign-in-context.ts';

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A sign-in in progress: its authorization request and the presentation of its pages. */
export interface Interaction {
  readonly uid: string;
  /** Names this sign-in in this browser: what pages hand out counts only there. */
  readonly browser: string;
  /** Path of the form. */
  readonly action: string;
  /** Path that resumes the authorization request. */
  readonly next: string;
  readonly csrf: string;
  /** Path of the page for a forgotten password; none for staff, who have no email address. */
  readonly forgotten: string | undefined;
  /** Path of the form that asks for a device link; none for staff. */
  readonly device: string | undefined;
  /** The form's part for passkeys. */
  readonly passkey: PasskeyData;
  /** Path of the page that registers a member; none for staff. */
  readonly register: string | undefined;
  /** Origins of the client's Android app. */
  readonly androidOrigins: readonly string[];
  /** Providers that the site offers. */
  readonly providers: readonly ProviderChoice[];
  /** Seconds since the last entry of credentials that the request accepts; undefined where any will do. */
  readonly maxAge: number | undefined;
  /** The locale that the app asks for. */
  readonly locale: string | undefined;
  /** Username or email address that the app expects to sign in. */
  readonly login: string | undefined;
  readonly realm: Realm;
  readonly presentation: Presentation;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientId: string;
  /** Name of the client application. */
  readonly app: string;
  readonly details: Details;
  readonly provider: Provider;
}

function maxAgeOf({ prompt, [maxAgeParameter]: seconds }: Details['params']): number | undefined {
  if (typeof prompt === 'string' && prompt.split(' ').includes('login')) return 0;
  return seconds === undefined ? undefined : Number(seconds);
}

/** Longer hints name nobody. */
const longestHint = 255;

/** The providers that a site offers; none for staff. */
const providersFor = ({ staff, siteid }: Realm, { identities }: SignInContext) =>
  staff
    ? []
    : [...identities.providers.values()]
        .map(({ provider }) => provider)
        .filter((one) => isOffered(one, siteid));

/** The interaction that cookie and path name; undefined when it expired or belongs to another browser. */
export async function findInteraction({
  request,
  response,
  context,
}: PageVisit): Promise<Interaction | undefined> {
  const { provider } = await context.tokens.server.current();
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  });
  if (!details || details.uid !== request.params['uid']) return undefined;
  const { client_id, redirect_uri, siteid, locale, login_hint } = details.params as Record<
    string,
    string | undefined
  >;
  const client = await provider.Client.find(client_id ?? '');
  if (!client) return undefined;
  const action = `/login/${details.uid}`;
  const { pathname, search } = new URL(details.returnTo);
  const browser = `${details.uid}:${deviceOf(request, context).id}`;
  const realm = { staff: isStaffClient(client), siteid: siteid === undefined ? undefined : Number(siteid) };
  const presentation = remember(
    request,
    presentationOf(details.params, context.sites, request.acceptsLanguages()),
  );
  return {
    uid: details.uid,
    browser,
    action,
    next: pathname + search,
    locale,
    login: login_hint !== undefined && login_hint.length <= longestHint ? login_hint : undefined,
    forgotten: isStaffClient(client) ? undefined : `${action}/forgotten`,
    device: isStaffClient(client) ? undefined : `${action}/device`,
    register: isStaffClient(client) ? undefined : `${action}/register`,
    csrf: context.keys.seal.mac('login-csrf', details.uid),
    realm,
    androidOrigins: androidOrigins(client['android_app'] as ClientApplication['android_app']),
    passkey: passkeyChoice(browser, context),
    providers: providersFor(realm, context).map(({ id, name }) => ({
      name,
      path: `${action}/identity/${id}`,
    })),
    maxAge: maxAgeOf(details.params),
    presentation,
    // The address of this request may have another port than the registered one.
    headers: pageHeaders([
      ...(client.redirectUris ?? []),
      ...(redirect_uri === undefined ? [] : [redirect_uri]),
    ]),
    clientId: client.clientId,
    app: client.clientName ?? '',
    details,
    provider,
  };
}

/** Sets the result of the form, which is bound to this browser; the path that resumes the authorization request with it. */
export function resume(
  { uid, returnTo, prompt }: Details,
  result: SignInResult,
  { id, cookie }: Pick<KnownDevice, 'id' | 'cookie'>,
  response: Response,
  context: SignInContext,
): string {
  const { pathname, search } = new URL(returnTo);
  rememberDevice(response, cookie, context);
  // A sign-in instead of a registration answers the prompt, too.
  const answer = prompt.name === createPromptName ? { ...result, [createPromptName]: true as const } : result;
  setResult(response, { uid, path: pathname, device: id }, answer, context);
  return pathname + search;
}

/**
 * The account that can continue without credentials: that of the session that the authorization request found, in the
 * same browser. Undefined when the request asks for credentials.
 */
export async function accountToContinue(
  { details, provider }: Interaction,
  { request, response, context }: PageVisit,
): Promise<Account | undefined> {
  if (details.prompt.name !== continuePromptName) return undefined;
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined || session.uid !== details.session?.uid) return undefined;
  return context.accounts.find(session.accountId);
}
