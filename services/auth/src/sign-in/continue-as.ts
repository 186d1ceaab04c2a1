import type { Request, Response } from 'express';
import type { Account } from '../accounts/account.ts';
import { continuePromptName } from '../tokens/sessions/sign-in-result.ts';
import { resume, type Interaction } from './interaction.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';
import type { SignInContext } from './sign-in-context.ts';

/**
 * The account that can continue without credentials: that of the session that the authorization request found, in the
 * same browser. Undefined when the request asks for credentials.
 */
export async function accountToContinue(
  { details, provider }: Interaction,
  request: Request,
  response: Response,
  { accounts }: SignInContext,
): Promise<Account | undefined> {
  if (details.prompt.name !== continuePromptName) return undefined;
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId === undefined || session.uid !== details.session?.uid) return undefined;
  return accounts.find(session.accountId);
}

/** Continues with the session. The resume step checks again that it is the one that the request found. */
export function continueSession(
  { details }: Interaction,
  request: Request,
  response: Response,
  context: SignInContext,
): void {
  resume(details, { [continuePromptName]: true }, deviceOf(request, context), response, context);
}
