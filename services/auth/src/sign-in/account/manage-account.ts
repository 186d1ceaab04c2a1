import { Failure } from '@covalence/contract/failure';
import { z } from 'zod';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { checkTokens } from '../../accounts/identities/provider-tokens.ts';
import { endSession, sessionsOf } from '../../tokens/sessions/member-sessions.ts';
import { pageQuery } from '../../tokens/sessions/page-query.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { isByPasskey, type Visit } from '../browser-account.ts';
import { memberPage } from '../member-page.ts';
import { recoveryOf, stopRecovery } from '../methods/recovery.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { accountPage } from '../pages/account-page.ts';
import { signedOutPage } from '../pages/sign-in-pages.ts';
import { recordEvent } from '../record-event.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { removeSignInMethod } from '../methods/sign-in-methods.ts';

/** Sign-ins on the page. */
const maxShown = 50;

const formSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('end'), id: z.string().max(64) }),
  z.object({ action: z.literal('unlink'), provider: z.string().max(31) }),
  z.object({ action: z.literal('everywhere') }),
  z.object({ action: z.literal('keep') }),
]);

/** Sign-ins of apps that came from the browser of the visit. */
const isHere = (browserSession: string | undefined, { session }: Visit): boolean =>
  browserSession === session.uid;

/** The name of a provider, also of one that was taken away. */
const nameOf = (id: string, { identities }: SignInContext): string =>
  identities.providers.get(id)?.provider.name ?? id;

/** Ends a sign-in; one that has ended already is no error. True when it has ended that of this browser, too. */
async function end(id: string, visit: Visit): Promise<boolean> {
  const { account, context } = visit;
  const ended = await endSession(id, account._id, context).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 404) return undefined;
    throw error;
  });
  if (!ended) return false;
  recordEvent(visit, 'session_ended', { account });
  return isHere(ended.browser, visit);
}

/** Removes the link with a provider, unless nothing else signs the member in. False when it is the last one. */
async function unlink(provider: string, visit: Visit): Promise<boolean> {
  const { account, context } = visit;
  const linked = account.identities?.find((one) => one.provider === provider);
  if (!linked) return true;
  await checkTokens([linked], context);
  return removeSignInMethod(visit, { list: 'identities', id: linked.id, what: nameOf(provider, context) });
}

/**
 * Whether the visitor may stop a recovery: the delay protects who owns the passkeys, and not who knows the password. One by customer
 * service is stopped by customer service, or by the link of its notice.
 */
const stopsRecovery = (visit: Visit): boolean =>
  isByPasskey(visit) && visit.account.recovery?.by_support !== true;

/** Stops a recovery by mail. */
async function cancel(visit: Visit): Promise<void> {
  const { account, context, request } = visit;
  const { recovery } = account;
  if (recovery && stopsRecovery(visit)) await stopRecovery(account, recovery.id, request.ip ?? '', context);
}

/** /account: how the member signs in, and where. Ends a sign-in, removes a link with a provider, or signs out everywhere. */
export const accountStartPage = memberPage({
  path: accountPaths.start,
  form: formSchema,
  async page(visit, shown) {
    const { request, account, presentation, context } = visit;
    const query = pageQuery(request.query);
    const signIns = await sessionsOf(account._id, maxShown, context);
    const recovery = recoveryOf(account, context.clock());
    return accountPage(presentation, {
      ...shown,
      signOut: `/session/end${query}`,
      username: account.username,
      email: account.email,
      pages: [
        { path: accountPaths.email + query, name: 'changeEmail' },
        { path: accountPaths.password + query, name: 'changePassword' },
        { path: accountPaths.passkeys + query, name: 'passkeys' },
        { path: accountPaths.twoStep + query, name: 'twoStep' },
        { path: accountPaths.export + query, name: 'exportData' },
        { path: accountPaths.deletion + query, name: 'deleteAccount' },
      ],
      identities: (account.identities ?? []).map(({ provider, linked_at }) => ({
        provider,
        name: nameOf(provider, context),
        since: linked_at,
      })),
      signIns: signIns.map((one) => ({ ...one, isHere: isHere(one.browser_session, visit) })),
      recovery: recovery && {
        time: longTimeIn(presentation, recovery.from),
        isBySupport: recovery.by_support === true,
        canStop: stopsRecovery(visit),
      },
    });
  },
  async take(visit, form) {
    const { account, context, presentation } = visit;
    const signedOut = { page: signedOutPage(presentation) };
    if (form.action === 'everywhere') {
      await signOutEverywhere(account._id, context);
      recordEvent(visit, 'signed_out_everywhere', { account });
      return signedOut;
    }
    if (form.action === 'keep') {
      await cancel(visit);
      return { done: 'recoveryCanceled' };
    }
    if (form.action === 'end') return (await end(form.id, visit)) ? signedOut : { done: 'sessionEnded' };
    return (await unlink(form.provider, visit))
      ? { done: 'providerRemoved' }
      : { problem: 'lastSignInMethod' };
  },
});
