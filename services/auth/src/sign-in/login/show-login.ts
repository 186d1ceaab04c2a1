import { deviceOf, identifyDevice } from '../../tokens/sessions/known-device.ts';
import { accountToContinue, findInteraction, resume } from '../interaction.ts';
import { redirect, sendExpired, sendPage } from '../pages/respond.ts';
import { continuePage, loginPage } from '../pages/sign-in-pages.ts';
import type { PageHandler } from '../sign-in-context.ts';

/** GET /login/:uid/cancel: returns to the app with `access_denied`. */
export const cancelLogin: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const device = deviceOf(request, context);
  redirect(response, resume(interaction.details, { error: 'access_denied' }, device, response, context));
};

/**
 * GET /login/:uid: "Continue as …" with a session, unless `account=other` is sent; else the login form. `account=new` leads
 * to the registration.
 */
export const showLogin: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const { presentation, headers, register } = interaction;
  if (request.query['account'] === 'new' && register !== undefined) return redirect(response, register);
  const isOther = request.query['account'] === 'other';
  const account = isOther ? undefined : await accountToContinue(interaction, request, response, context);
  const page = account
    ? continuePage(presentation, { ...interaction, name: account.username })
    : loginPage(presentation, interaction);
  identifyDevice(request, response, context);
  sendPage(response, page, 200, headers);
};

/** GET of a page that only a form opens: a reload leads to the login form. */
export const backToLogin: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  redirect(response, interaction.action);
};
