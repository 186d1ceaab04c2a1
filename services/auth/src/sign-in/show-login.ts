import { identifyDevice } from '../tokens/sessions/known-device.ts';
import { accountToContinue, findInteraction } from './interaction.ts';
import { sendExpired } from './pages/respond.ts';
import { continuePage, loginPage } from './pages/sign-in-pages.ts';
import type { PageHandler } from './sign-in-context.ts';

/** GET /login/:uid: "Continue as …" with a session, unless `account=other` is sent; else the login form. */
export const showLogin: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const { presentation, headers } = interaction;
  const isOther = request.query['account'] === 'other';
  const account = isOther ? undefined : await accountToContinue(interaction, request, response, context);
  const page = account
    ? continuePage(presentation, { ...interaction, name: account.username })
    : loginPage(presentation, interaction);
  identifyDevice(request, response, context);
  response.set(headers).send(page);
};
