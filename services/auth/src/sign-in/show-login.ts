import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { continuePage, errorPage, loginPage } from './pages/sign-in-pages.ts';
import { strangersSetting } from '../localization/presentation.ts';
import { pageHeaders } from './pages/style.ts';
import { accountToContinue } from './continue-as.ts';
import { findInteraction } from './interaction.ts';

/** Says that a sign-in has expired. */
export function showExpired(request: Request, response: Response, context: Context): void {
  const setting = strangersSetting(request, context.sites);
  response.status(400).set(pageHeaders()).send(errorPage(setting, 'errorExpired'));
}

/** GET /login/:uid: the login form, or the page "Continue as …" where the browser has a session and `account=other` is not asked for. */
export async function showLogin(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  const { setting, headers } = interaction;
  const isOther = request.query['account'] === 'other';
  const account = isOther ? undefined : await accountToContinue(interaction, request, response, context);
  const page = account
    ? continuePage(setting, { ...interaction, name: account.username })
    : loginPage(setting, interaction);
  response.set(headers).send(page);
}
