import type { Peer } from '@covalence/http/peer';
import { interactionPolicy, type Account as ProviderAccount, type KoaContextWithOIDC } from 'oidc-provider';
import type { Account } from '../../accounts/account.ts';
import type { Subject } from '../families/family-store.ts';
import { confirmation } from './continue-prompt.ts';
import { maxAgeParameter } from './max-age.ts';
import { standingOf } from '../member-state.ts';

/** An account as oidc-provider knows it. */
export interface KnownAccount extends ProviderAccount {
  /** The facts that tokens carry. */
  readonly subject: Subject;
  /** All of it, where somebody signs in. */
  readonly account: Account | undefined;
}

const knownAccount = (context: KoaContextWithOIDC): Account | undefined =>
  (context.oidc.account as KnownAccount | undefined)?.account;

const fits = new WeakMap<object, Promise<boolean>>();

/** When the credentials behind this request were given, in milliseconds; sessions know the second only. */
export const givenAt = ({ oidc: { result, session } }: KoaContextWithOIDC): number => {
  const given = result?.['given_at'];
  return typeof given === 'number' ? given : (session?.loginTs ?? 0) * 1000;
};

async function findOut(context: KoaContextWithOIDC, profile: Peer): Promise<boolean> {
  const { client, params, result } = context.oidc;
  const account = knownAccount(context);
  if (!account || account.staff !== isStaffClient(client)) return false;
  if (account.signed_out_at && givenAt(context) <= account.signed_out_at.getTime()) return false;
  const siteid = params?.['siteid'];
  if (siteid !== undefined && Number(siteid) !== account.siteid) return false;
  // The login page has just asked profile.
  return result?.login !== undefined || (await standingOf(account, profile)) === 'good';
}

/** The staff client, whose tokens have the scope `staff`. */
export const isStaffClient = (client: unknown): boolean => (client as { staff?: boolean }).staff === true;

/** Whether the browser's session may answer this request: right kind of account, right site, member in good standing. */
export function sessionFits(context: KoaContextWithOIDC, profile: Peer): Promise<boolean> {
  const known = fits.get(context.req) ?? findOut(context, profile);
  fits.set(context.req, known);
  return known;
}

/**
 * Whether the session's credentials were entered longer ago than the request's `max_age`, where 0 asks for them each time, or
 * than the lifetime that the client gives its sign-ins.
 */
function isTooOld({ oidc: { client, params, result, session } }: KoaContextWithOIDC): boolean {
  if (result?.login) return false;
  const limits = [params?.[maxAgeParameter], client?.['refresh_lifetime_seconds']];
  return limits
    .filter((limit) => limit !== undefined && limit !== null)
    .some((limit) => Number(limit) === 0 || session?.past(Number(limit)) !== false);
}

/**
 * When the login form is shown: without a session, on request (`prompt=login`, `max_age`), and under a session that does not fit,
 * e.g. of a deactivated member, who has to give both entries anew, or from before a sign-out everywhere. There is no consent: clients are the
 * operator's own; a request that comes back to an app or a port of the device needs a "Continue" before it profits from a session.
 */
export function createSignInPolicy(profile: Peer): interactionPolicy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  policy.remove('consent');
  const checks = policy.get('login')?.checks;
  checks?.add(new Check('sign_in_max_age', 'a more recent sign-in is needed', 'login_required', isTooOld));
  checks?.add(
    new Check('session_fits', 'another session is needed', 'login_required', async (context) => {
      return context.oidc.session?.accountId !== undefined && !(await sessionFits(context, profile));
    }),
  );
  policy.add(confirmation());
  return policy;
}
