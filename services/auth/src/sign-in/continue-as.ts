import type { Request, Response } from 'express';
import type { Account } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import { confirmationPrompt } from '../tokens/provider/continue-prompt.ts';
import { goOn, type Interaction } from './interaction.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';

/**
 * The account with which a sign-in may go on without credentials: that of the session that the authorization request found, in
 * this very browser. Undefined where the request asks for credentials.
 */
export async function accountToContinue(
  { details, provider }: Interaction,
  request: Request,
  response: Response,
  { accounts }: Context,
): Promise<Account | undefined> {
  if (details.prompt.name !== confirmationPrompt) return undefined;
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined || session.uid !== details.session?.uid) return undefined;
  return accounts.find(session.accountId);
}

/** Goes on with the session; the step after the form checks once more that it is the one that the request found. */
export function continueSession(
  { details }: Interaction,
  request: Request,
  response: Response,
  context: Context,
): void {
  goOn(details, { [confirmationPrompt]: true }, deviceOf(request, context), response, context);
}
