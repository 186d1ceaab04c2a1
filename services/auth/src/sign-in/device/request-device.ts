import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { mailLink } from '../../mail/send-link.ts';
import { sentPage } from '../pages/account-pages.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { createDeviceLink, deviceLinkMinutes } from './device-link.ts';
import { findAccounts } from '../find-accounts.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { deviceOf, rememberDevice, type KnownDevice } from '../../tokens/sessions/known-device.ts';
import { showExpired } from '../show-login.ts';

const formSchema = z.object({ csrf: z.string(), login: z.string() });

/** GET /login/:uid/device: somebody loads the page again that says that a mail is on its way; the form is the way on. */
export async function backToLogin(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return showExpired(request, response, context);
  response.status(303).set({ Location: interaction.action, 'Cache-Control': 'no-store' }).end();
}

async function sendLinks(
  login: string,
  device: KnownDevice,
  { uid, realm, details }: Interaction,
  context: Context,
): Promise<void> {
  const { locale } = details.params;
  const asked = typeof locale === 'string' ? locale : undefined;
  for (const account of await findAccounts(login, realm, context)) {
    await mailLink(
      account,
      {
        topic: 'mailDevice',
        minutes: deviceLinkMinutes,
        asked,
        // Apart from resets: whoever uses these up leaves the member the link for a new password.
        counter: `device:${account._id}`,
        path: async (to, wanted) =>
          `/device/${await createDeviceLink({ account, to, device, uid, locale: wanted }, context)}`,
      },
      context,
    );
  }
}

/**
 * POST /login/:uid/device: sends a link by which this browser becomes one that the account is known in, so that failures of
 * others do not limit it. The answer comes first and is the same whether there is such an account or not.
 */
export async function requestDevice(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (interaction?.device === undefined) return showExpired(request, response, context);
  const { setting, headers, uid, action } = interaction;
  response.set(headers);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.seal.checkMac('login-csrf', uid, form.data.csrf)) {
    const problem = setting.text('staleForm');
    response.status(403).send(loginPage(setting, { ...interaction, problem }));
    return;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.attempts.count('mailAddress', address);
  if (seconds) {
    const problem = setting.text('limited', { minutes: Math.ceil(seconds / 60) });
    response
      .status(429)
      .set('Retry-After', String(seconds))
      .send(loginPage(setting, { ...interaction, login: form.data.login, problem }));
    return;
  }
  const device = deviceOf(request, context);
  rememberDevice(response, device.cookie, context);
  response.send(sentPage(setting, { action, minutes: deviceLinkMinutes, why: 'checkMailDeviceWhy' }));
  context.security.record('device_link_requested', {
    client: String(interaction.details.params['client_id']),
    address,
  });
  context.background.run(sendLinks(form.data.login, device, interaction, context));
}
