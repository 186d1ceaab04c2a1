import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { recoveryNames } from '../../accounts/names/claims.ts';
import type { Context } from '../../context.ts';
import { findAccounts } from '../find-accounts.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { sendExpired } from '../pages/respond.ts';
import { sendLink } from '../../mail/send-link.ts';
import { forgottenPage, sentPage } from '../pages/account-pages.ts';
import { createReset, resetMinutes } from './reset-token.ts';

const formSchema = z.object({ csrf: z.string(), login: z.string() });

/** The interaction of a request, unless it is for staff, who have no e-mail address. */
async function memberInteraction(
  request: Request,
  response: Response,
  context: Context,
): Promise<Interaction | undefined> {
  const interaction = await findInteraction(request, response, context);
  return interaction?.forgotten === undefined ? undefined : interaction;
}

/** GET /login/:uid/forgotten: asks for username or e-mail address. */
export async function showForgotten(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await memberInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  response.set(interaction.headers).send(forgottenPage(interaction.presentation, interaction));
}

/** Mails a link for a new password, in the requested locale, else the member's. */
export const sendReset = (account: Account, requested: string | undefined, context: Context): Promise<void> =>
  sendLink(
    account,
    {
      topic: 'mailReset',
      minutes: resetMinutes,
      requested,
      counter: account._id,
      path: async (_to, locale) => `/password/${await createReset(account, locale, context)}`,
    },
    context,
  );

async function sendResets(
  login: string,
  address: string,
  interaction: Interaction,
  context: Context,
): Promise<void> {
  const { locale, client_id } = interaction.details.params;
  const requested = typeof locale === 'string' ? locale : undefined;
  const namesOf = (account: Account) => recoveryNames(account, context.now());
  const accounts = await findAccounts(login, interaction.realm, context, namesOf);
  for (const account of accounts) {
    const details = { member: account._id, client: String(client_id), address };
    context.security.record('password_reset_requested', details);
    await sendReset(account, requested, context);
  }
}

/** POST /login/:uid/forgotten: mails a link to every matching account. The response comes first and is the same for unknown accounts, and so is its time. */
export async function submitForgotten(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await memberInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const { presentation, headers } = interaction;
  response.set(headers);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.keys.seal.checkMac('login-csrf', interaction.uid, form.data.csrf)) {
    const problem = presentation.text('staleForm');
    response.status(403).send(forgottenPage(presentation, { ...interaction, problem }));
    return;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.accounts.attempts.count('mailAddress', address);
  if (seconds) {
    const problem = presentation.text('limited', { minutes: Math.ceil(seconds / 60) });
    response
      .status(429)
      .set('Retry-After', String(seconds))
      .send(forgottenPage(presentation, { ...interaction, problem }));
    return;
  }
  response.send(sentPage(presentation, { action: interaction.action, minutes: resetMinutes }));
  context.background.run(sendResets(form.data.login, address, interaction, context));
}
