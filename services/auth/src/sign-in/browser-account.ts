import type { Request, Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { Account } from '../accounts/account.ts';
import { accountStateOf } from '../accounts/member-state.ts';
import type { SignInContext } from './sign-in-context.ts';

/** The member whose session a browser has. */
export interface BrowserAccount {
  readonly account: Account;
  readonly session: Awaited<ReturnType<Provider['Session']['get']>>;
}

/** The member whose valid session a browser has, if the member is active. Staff have no account pages. */
export async function browserAccount(
  request: Request,
  response: Response,
  context: SignInContext,
): Promise<BrowserAccount | undefined> {
  const { provider } = await context.tokens.server.current();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined) return undefined;
  const account = await context.accounts.find(session.accountId);
  if (account?.status !== 'active' || account.staff) return undefined;
  const isSignedOut = (session.loginTs ?? 0) * 1000 <= (account.signed_out_at?.getTime() ?? 0);
  if (isSignedOut || (await accountStateOf(account, context.profile)) !== 'active') return undefined;
  return { account, session };
}
