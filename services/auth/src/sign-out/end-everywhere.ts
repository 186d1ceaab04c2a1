import type { RequestHandler } from 'express';
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** What the page's second button sends as `logout`. */
export const everywhereValue = 'everywhere';

function isEqual(expected: unknown, sent: string | undefined): boolean {
  if (typeof expected !== 'string' || sent === undefined) return false;
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
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
    const { provider } = await context.oidc.current();
    const { accountId, state } = await provider.Session.get(provider.createContext(request, response));
    if (accountId && isEqual(state?.['secret'], xsrf)) await signOutEverywhere(accountId, context);
    next();
  };
}
