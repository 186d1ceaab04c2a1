import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { errorPage, loginPage } from '../pages/pages.ts';
import { strangersSetting } from '../pages/setting.ts';
import { pageHeaders } from '../pages/style.ts';
import { findInteraction } from './interaction.ts';

/** Says that a sign-in has expired. */
export function showExpired(request: Request, response: Response, context: Context): void {
  const setting = strangersSetting(request, context.sites);
  response.status(400).set(pageHeaders()).send(errorPage(setting, 'errorExpired'));
}

/** GET /login/:uid: the login form. */
export async function showLogin(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  response.set(interaction.headers).send(loginPage(interaction.setting, interaction));
}
