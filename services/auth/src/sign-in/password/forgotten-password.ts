import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { remembered } from '../../accounts/names/claims.ts';
import type { Context } from '../../context.ts';
import { findAccounts } from '../find-accounts.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { showExpired } from '../show-login.ts';
import { mailLink } from '../../mail/send-link.ts';
import { forgottenPage, sentPage } from '../pages/account-pages.ts';
import { createReset, resetMinutes } from './reset-token.ts';

const formSchema = z.object({ csrf: z.string(), login: z.string() });

/** The sign-in that the request belongs to, if its members may have forgotten a password; staff have no addresses. */
async function memberInteraction(
  request: Request,
  response: Response,
  context: Context,
): Promise<Interaction | undefined> {
  const interaction = await findInteraction(request, response, context);
  return interaction?.forgotten === undefined ? undefined : interaction;
}

/** GET /login/:uid/forgotten: asks for username or e-mail. */
export async function showForgotten(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await memberInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  response.set(interaction.headers).send(forgottenPage(interaction.setting, interaction));
}

/** Sends a link to choose a password, in the language that was asked for, else the member's. */
export const sendReset = (account: Account, asked: string | undefined, context: Context): Promise<void> =>
  mailLink(
    account,
    {
      topic: 'mailReset',
      minutes: resetMinutes,
      asked,
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
  const asked = typeof locale === 'string' ? locale : undefined;
  const namesOf = (account: Account) => remembered(account, context.now());
  const accounts = await findAccounts(login, interaction.realm, context, namesOf);
  for (const account of accounts) {
    const facts = { member: account._id, client: String(client_id), address };
    context.security.record('password_reset_requested', facts);
    await sendReset(account, asked, context);
  }
}

/**
 * POST /login/:uid/forgotten: sends a link to every account that is meant. The answer comes first and is the same
 * whether there is such an account or not, and how long it takes tells nothing either.
 */
export async function submitForgotten(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await memberInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  const { setting, headers } = interaction;
  response.set(headers);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.seal.checkMac('login-csrf', interaction.uid, form.data.csrf)) {
    const problem = setting.text('staleForm');
    response.status(403).send(forgottenPage(setting, { ...interaction, problem }));
    return;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.attempts.count('mailAddress', address);
  if (seconds) {
    const problem = setting.text('limited', { minutes: Math.ceil(seconds / 60) });
    response
      .status(429)
      .set('Retry-After', String(seconds))
      .send(forgottenPage(setting, { ...interaction, problem }));
    return;
  }
  response.send(sentPage(setting, { action: interaction.action, minutes: resetMinutes }));
  context.background.run(sendResets(form.data.login, address, interaction, context));
}
