import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Interaction } from './interaction.ts';
import { explain } from './pages/respond.ts';
import type { SignInContext } from './sign-in-context.ts';

const formSchema = z.object({ csrf: z.string(), login: z.string() });

/**
 * Takes a form that asks for a mail. Shows the form again when it is invalid or the address has asked too often; otherwise
 * resolves to the entered login and the address.
 */
export async function takeMailRequest(
  request: Request,
  response: Response,
  {
    interaction,
    formPage,
  }: { interaction: Interaction; formPage: (problem: string, login?: string) => string },
  { accounts, keys }: SignInContext,
): Promise<{ login: string; address: string } | undefined> {
  const { presentation, headers, uid } = interaction;
  response.set(headers);
  const { data: form } = formSchema.safeParse(request.body ?? {});
  if (!form || !keys.seal.checkMac('login-csrf', uid, form.csrf)) {
    response.status(403).send(formPage(presentation.text('staleForm')));
    return undefined;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await accounts.attempts.count('mailAddress', address);
  if (!seconds) return { login: form.login, address };
  const { problem = '', status } = explain(response, presentation, { seconds });
  response.status(status).send(formPage(problem, form.login));
  return undefined;
}
