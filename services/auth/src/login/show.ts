import { asFailure, logError } from '@covalence/http/errors';
import type { ErrorRequestHandler, Request, Response } from 'express';
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

/** The hosted pages tell people, not programs, what went wrong. */
export function loginErrors(context: Context): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    logError(context.logger, error);
    if (response.headersSent) return next(error);
    const failure = asFailure(error);
    const status = failure?.status ?? 500;
    const setting = strangersSetting(request, context.sites);
    const message = status < 500 ? 'errorOther' : 'errorAway';
    response
      .status(status)
      .set({ ...pageHeaders(), ...failure?.headers })
      .send(errorPage(setting, message));
  };
}
