import type { Request, RequestHandler, Response } from 'express';
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { carriedQuery } from '../pages/provider-pages.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** What the page's second button sends as `logout`. */
export const everywhereValue = 'everywhere';

function isEqual(expected: unknown, sent: string | undefined): boolean {
  if (typeof expected !== 'string' || sent === undefined) return false;
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const sessionOf = async (request: Request, response: Response, { oidc }: Context) => {
  const { provider } = await oidc.current();
  return provider.Session.get(provider.createContext(request, response));
};

/**
 * Leads whoever is signed out already to the last page: the browser did not get the answer and sends the form again, which
 * the provider would call an error (P374).
 */
export function leadOut(context: Context): RequestHandler {
  return async (request, response, next) => {
    const { accountId } = await sessionOf(request, response, context);
    if (accountId !== undefined) return next();
    response
      .status(303)
      .set({ Location: `/session/end/success${carriedQuery(request.query)}`, 'Cache-Control': 'no-store' })
      .end();
  };
}

/**
 * The part of "sign out everywhere" that the provider does not know: it comes before the provider ends this browser's
 * session, so that the page can be sent again when a store is away. A form of another page ends nothing; the provider
 * refuses it then.
 */
export function endEverywhere(context: Context): RequestHandler {
  return async (request, response, next) => {
    const { logout, xsrf } = request.body as Record<string, string | undefined>;
    if (logout !== everywhereValue) return next();
    const { accountId, state } = await sessionOf(request, response, context);
    if (accountId && isEqual(state?.['secret'], xsrf)) await signOutEverywhere(accountId, context);
    next();
  };
}
