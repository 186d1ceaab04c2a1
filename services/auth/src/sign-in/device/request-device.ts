import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { sendLink } from '../../mail/send-link.ts';
import { sentPage } from '../pages/account-pages.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { createDeviceLink, deviceLinkMinutes } from './device-link.ts';
import { findAccounts } from '../find-accounts.ts';
import { findInteraction, type Interaction } from '../interaction.ts';
import { deviceOf, rememberDevice, type KnownDevice } from '../../tokens/sessions/known-device.ts';
import { redirect, sendExpired } from '../pages/respond.ts';

const formSchema = z.object({ csrf: z.string(), login: z.string() });

/** GET /login/:uid/device: a reload of the page that announces a mail; redirects to the login form. */
export async function backToLogin(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  redirect(response, interaction.action);
}

async function sendLinks(
  login: string,
  device: KnownDevice,
  { uid, realm, details }: Interaction,
  context: Context,
): Promise<void> {
  const { locale } = details.params;
  const requested = typeof locale === 'string' ? locale : undefined;
  for (const account of await findAccounts(login, realm, context)) {
    await sendLink(
      account,
      {
        topic: 'mailDevice',
        minutes: deviceLinkMinutes,
        requested,
        // Separate from password mails, so that using this limit up does not block those.
        counter: `device:${account._id}`,
        path: async (to, language) =>
          `/device/${await createDeviceLink({ account, to, device, uid, locale: language }, context)}`,
      },
      context,
    );
  }
}

/**
 * POST /login/:uid/device: mails a link that makes this browser a known device, so that other people's failures do not limit it.
 * The response comes first and is the same for unknown accounts.
 */
export async function requestDevice(request: Request, response: Response, context: Context): Promise<void> {
  const interaction = await findInteraction(request, response, context);
  if (interaction?.device === undefined) return sendExpired(request, response, context);
  const { presentation, headers, uid, action } = interaction;
  response.set(headers);
  const form = formSchema.safeParse(request.body ?? {});
  if (!form.success || !context.keys.seal.checkMac('login-csrf', uid, form.data.csrf)) {
    const problem = presentation.text('staleForm');
    response.status(403).send(loginPage(presentation, { ...interaction, problem }));
    return;
  }
  const address = addressKey(request.ip ?? '');
  const seconds = await context.accounts.attempts.count('mailAddress', address);
  if (seconds) {
    const problem = presentation.text('limited', { minutes: Math.ceil(seconds / 60) });
    response
      .status(429)
      .set('Retry-After', String(seconds))
      .send(loginPage(presentation, { ...interaction, login: form.data.login, problem }));
    return;
  }
  const device = deviceOf(request, context);
  rememberDevice(response, device.cookie, context);
  response.send(sentPage(presentation, { action, minutes: deviceLinkMinutes, why: 'checkMailDeviceWhy' }));
  context.security.record('device_link_requested', {
    client: String(interaction.details.params['client_id']),
    address,
  });
  context.background.run(sendLinks(form.data.login, device, interaction, context));
}
