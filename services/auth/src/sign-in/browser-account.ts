import type { Request, Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { Account } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import { standingOf } from '../tokens/member-state.ts';

/** The member whom a browser is signed in as at the hosted pages. */
export interface BrowserAccount {
  readonly account: Account;
  readonly session: Awaited<ReturnType<Provider['Session']['get']>>;
}

/** The member whose session a browser has, if it still counts and the member is in good standing; staff have no pages of their own. */
export async function browserAccount(
  request: Request,
  response: Response,
  context: Context,
): Promise<BrowserAccount | undefined> {
  const { provider } = await context.oidc.current();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined) return undefined;
  const account = await context.accounts.find(session.accountId);
  if (account?.status !== 'active' || account.staff) return undefined;
  const isOver = (session.loginTs ?? 0) * 1000 <= (account.signed_out_at?.getTime() ?? 0);
  if (isOver || (await standingOf(account, context.profile)) !== 'good') return undefined;
  return { account, session };
}
