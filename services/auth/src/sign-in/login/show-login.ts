import { deviceOf } from '../../tokens/sessions/known-device.ts';
import { duringSignIn } from '../during-sign-in.ts';
import { accountToContinue, resume } from '../interaction.ts';
import { redirect } from '../pages/respond.ts';
import { continuePage } from '../pages/sign-in-pages.ts';
import { sendLoginForm, sendLoginPage } from './visitor.ts';

/** GET /login/:uid/cancel: returns to the app with `access_denied`. */
export const cancelLogin = duringSignIn(({ request, response, context, interaction }) => {
  const device = deviceOf(request, context);
  redirect(response, resume(interaction.details, { error: 'access_denied' }, device, response, context));
});

/**
 * GET /login/:uid: "Continue as …" with a session, unless `account=other` is sent; else the login form. `account=new` leads
 * to the registration.
 */
export const showLogin = duringSignIn(async (visit) => {
  const { request, response, interaction } = visit;
  const { presentation, register } = interaction;
  if (request.query['account'] === 'new' && register !== undefined) return redirect(response, register);
  const isOther = request.query['account'] === 'other';
  const account = isOther ? undefined : await accountToContinue(interaction, visit);
  if (!account) return sendLoginForm(visit);
  sendLoginPage(visit, continuePage(presentation, { ...interaction, name: account.username }));
});

/** GET of a page that only a form opens: a reload leads to the login form. */
export const backToLogin = duringSignIn(({ response, interaction }) =>
  redirect(response, interaction.action),
);
