import { addressKey } from '@covalence/http/address-key';
import { z } from 'zod';
import { formOf, type SignInVisit } from './during-sign-in.ts';
import { explain, sendPage } from './pages/respond.ts';

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
  const form = formOf(formSchema, visit);
  if (!form) {
    sendPage(response, formPage(presentation.text('staleForm')), 403, headers);
    return undefined;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.accounts.attempts.count('mailAddress', address);
  if (!seconds) return { login: form.login, address };
  const { problem = '', status } = explain(response, presentation, { seconds });
  sendPage(response, formPage(problem, form.login), status, headers);
  return undefined;
}
