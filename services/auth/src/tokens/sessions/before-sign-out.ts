import { addressKey } from '@covalence/http/address-key';
import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { isSameText } from '../../keys/same-text.ts';
import { carriedQuery } from '../../sign-in/pages/provider-pages.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** What the page's second button sends as `logout`. */
export const everywhereValue = 'everywhere';

const isEqual = (expected: unknown, sent: string | undefined): boolean =>
  typeof expected === 'string' && sent !== undefined && isSameText(expected, sent);

/**
 * What comes before the provider ends this browser's session. Whoever is signed out already is led to the last page: the
 * browser did not get the answer and sends the form again, which the provider would call an error. The part of "sign
 * out everywhere" that the provider does not know is done first, so that the page can be sent again when a store is away. A
 * form of another page ends nothing; the provider answers it.
 */
export function beforeSignOut(context: Context): RequestHandler {
  return async (request, response, next) => {
    const { provider } = await context.oidc.current();
    const { accountId, state } = await provider.Session.get(provider.createContext(request, response));
    if (accountId === undefined) {
      const last = `/session/end/success${carriedQuery(request.query)}`;
      response.status(303).set({ Location: last, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const { logout, xsrf } = request.body as Record<string, string | undefined>;
    if (logout === everywhereValue && isEqual(state?.['secret'], xsrf)) {
      await signOutEverywhere(accountId, context);
      context.security.record('signed_out_everywhere', {
        member: accountId,
        address: addressKey(request.ip ?? ''),
      });
    }
    next();
  };
}
