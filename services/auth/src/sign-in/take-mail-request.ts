import { addressKey } from '@covalence/http/address-key';
import { z } from 'zod';
import { formOf, type SignInVisit } from './during-sign-in.ts';
import { explain } from './pages/respond.ts';

const formSchema = z.object({ login: z.string() });

/**
 * Takes a form that asks for a mail. Shows the form again when it is invalid or the address has asked too often; otherwise
 * resolves to the entered login and the address.
 */
export async function takeMailRequest(
  visit: SignInVisit,
  formPage: (problem: string, login?: string) => string,
): Promise<{ login: string; address: string } | undefined> {
  const { request, response, context, interaction } = visit;
  const { presentation, headers } = interaction;
  response.set(headers);
  const form = formOf(formSchema, visit);
  if (!form) {
    response.status(403).send(formPage(presentation.text('staleForm')));
    return undefined;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.accounts.attempts.count('mailAddress', address);
  if (!seconds) return { login: form.login, address };
  const { problem = '', status } = explain(response, presentation, { seconds });
  response.status(status).send(formPage(problem, form.login));
  return undefined;
}
