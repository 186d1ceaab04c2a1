import { isOnDevice } from '@covalence/contract/redirect-uri';
import type { RolesBySite } from '@covalence/contract/staff-roles';
import { interactionPolicy, type Account as ProviderAccount, type KoaContextWithOIDC } from 'oidc-provider';
import type { Account } from '../../accounts/account.ts';
import { needsTwoFactors } from '../../accounts/second-factors.ts';
import type { Subject } from '../families/family-store.ts';
import { establishedAt } from '../sessions/established-at.ts';
import { continuePromptName, createPromptName, isTwoFactor } from '../sessions/sign-in-result.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import type { ProviderDependencies } from './dependencies.ts';

/** Internal name of `max_age`: the provider accepts that name only with the scope `openid`, which no client has here. */
export const maxAgeParameter = 'sign_in_max_age';

/** An account as oidc-provider knows it. */
export interface KnownAccount extends ProviderAccount {
  /** Claims of tokens. */
  readonly subject: Subject;
  /** Of a staff account, during an issue of tokens. */
  readonly roles?: RolesBySite | undefined;
  /** During a sign-in. */
  readonly account?: Account;
  /** During an issue of tokens: when the account was known to be active. */
  readonly checkedAt?: Date;
}

const knownAccount = (context: KoaContextWithOIDC): Account | undefined =>
  (context.oidc.account as KnownAccount | undefined)?.account;

const fits = new WeakMap<object, Promise<boolean>>();

async function checkSession(
  context: KoaContextWithOIDC,
  { profile, secondFactor }: ProviderDependencies,
): Promise<boolean> {
  const { client, params, result, session } = context.oidc;
  const account = knownAccount(context);
  if (!account || account.staff !== isStaffClient(client)) return false;
  // From before a second factor was required, or turned on.
  if (needsTwoFactors(account, secondFactor) && !isTwoFactor(session?.amr)) return false;
  if (account.signed_out_at && establishedAt(session) <= account.signed_out_at.getTime()) return false;
  const siteid = params?.['siteid'];
  if (siteid !== undefined && Number(siteid) !== account.siteid) return false;
  // The login page has asked profile already.
  return result?.login !== undefined || (await accountStateOf(account, profile)) === 'active';
}

/** The staff client, whose tokens have the scope `staff`. */
export const isStaffClient = (client: unknown): boolean => (client as { staff?: boolean }).staff === true;

/** Whether the browser's session fits this request: kind of account, site, active member. */
export function sessionFits(
  context: KoaContextWithOIDC,
  dependencies: ProviderDependencies,
): Promise<boolean> {
  const known = fits.get(context.req) ?? checkSession(context, dependencies);
  fits.set(context.req, known);
  return known;
}

/** Whether the session is older than the request's `max_age` or the client's refresh lifetime. */
function isTooOld({ oidc: { client, params, result, session } }: KoaContextWithOIDC): boolean {
  if (result?.login) return false;
  const limits = [params?.[maxAgeParameter], client?.['refresh_lifetime_seconds']];
  return limits
    .filter((limit) => limit !== undefined && limit !== null)
    .some((limit) => Number(limit) === 0 || session?.past(Number(limit)) !== false);
}

/** Whether this request carries the member's decision: credentials or "Continue". */
const isDecided = ({ oidc: { result } }: KoaContextWithOIDC): boolean =>
  result?.login !== undefined || result?.[continuePromptName] === true;

/**
 * Whether the member has to agree before the session is used: another program on the device can use the client's id and
 * redirect URI (RFC 8252, 8.6), unless this system listens there itself. A decision counts for one request only; the next one may
 * come from that program.
 */
export function needsContinue(context: KoaContextWithOIDC, { audience }: ProviderDependencies): boolean {
  const { params, session } = context.oidc;
  if (session?.accountId === undefined || isDecided(context)) return false;
  const redirect = String(params?.['redirect_uri']);
  return isOnDevice(redirect) && new URL(redirect).origin !== new URL(audience).origin;
}

/** The prompt that shows the page "Continue as …"; with `prompt=none` it is the error `interaction_required`. */
const continuePrompt = (dependencies: ProviderDependencies): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt(
    { name: continuePromptName, requestable: false },
    new interactionPolicy.Check(
      'address_of_device',
      'the member has to agree to continue',
      'interaction_required',
      (context) => needsContinue(context, dependencies),
    ),
  );

/**
 * The login form is shown without a session, on request (`prompt=login`, `max_age`), and with a session that does not
 * fit, e.g. of a deactivated member or from before a sign-out everywhere. There is no consent, because the operator
 * owns all clients. `prompt=create` asks for a registration first (Initiating User Registration via OpenID Connect). Redirects to an app or a loopback port need "Continue" before a session is used.
 */
export function createSignInPolicy(dependencies: ProviderDependencies): interactionPolicy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  policy.remove('consent');
  const checks = policy.get('login')?.checks;
  checks?.add(new Check('sign_in_max_age', 'a more recent sign-in is needed', 'login_required', isTooOld));
  checks?.add(
    new Check('session_fits', 'another session is needed', 'login_required', async (context) => {
      return context.oidc.session?.accountId !== undefined && !(await sessionFits(context, dependencies));
    }),
  );
  policy.add(continuePrompt(dependencies));
  // First: who is signed in may register another account.
  policy.add(new interactionPolicy.Prompt({ name: createPromptName, requestable: true }), 0);
  return policy;
}
