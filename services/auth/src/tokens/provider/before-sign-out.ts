import { addressKey } from '@covalence/http/address-key';
import type { RequestHandler } from 'express';
import type { ServerContext } from './authorization-server.ts';
import { isSameText } from '../../keys/seal.ts';
import { pageQuery } from '../sessions/page-query.ts';
import { signOutEverywhere } from '../sessions/sign-out-everywhere.ts';

/**
 * Runs before the provider ends the browser's session. Without a session it redirects to the last page, because a
 * browser that lost the response sends the form again. "Sign out everywhere" comes first, so that the form can be
 * sent again when a store is down. A form without the session's secret ends nothing; the provider rejects it.
 */
export function beforeSignOut(context: ServerContext): RequestHandler {
  return async (request, response, next) => {
    const { provider } = await context.tokens.server.current();
    const { accountId, state } = await provider.Session.get(provider.createContext(request, response));
    if (accountId === undefined) {
      const last = `/session/end/success${pageQuery(request.query)}`;
      response.status(303).set({ Location: last, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const { logout, xsrf } = request.body as Record<string, string | undefined>;
    const secret = state?.['secret'];
    const isOurs = typeof secret === 'string' && xsrf !== undefined && isSameText(secret, xsrf);
    if (logout === 'everywhere' && isOurs) {
      await signOutEverywhere(accountId, context);
      context.security.record('signed_out_everywhere', {
        member: accountId,
        address: addressKey(request.ip ?? ''),
      });
    }
    next();
  };
}
