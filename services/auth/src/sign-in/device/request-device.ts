import { sendLink } from '../../mail/send-link.ts';
import { sentPage } from '../pages/account-pages.ts';
import { sendPage } from '../pages/respond.ts';
import { loginPage } from '../pages/sign-in-pages.ts';
import { deviceLink } from './device-link.ts';
import { sha256 } from '../../keys/algorithms.ts';
import { findAccounts } from '../find-accounts.ts';
import { duringMemberSignIn } from '../during-sign-in.ts';
import type { Interaction } from '../interaction.ts';
import { takeMailRequest } from '../take-mail-request.ts';
import { deviceOf, rememberDevice, type KnownDevice } from '../../tokens/sessions/known-device.ts';
import { recordEvent } from '../record-event.ts';
import type { SignInContext } from '../sign-in-context.ts';

async function sendLinks(
  login: string,
  device: KnownDevice,
  { uid, realm, locale: requested }: Interaction,
  context: SignInContext,
): Promise<void> {
  for (const account of await findAccounts(login, realm, context)) {
    await sendLink(
      account,
      {
        topic: 'mailDevice',
        minutes: deviceLink.minutes,
        requested,
        purpose: 'device',
        path: (to, language) =>
          deviceLink.path(
            { member_id: account._id, to, device: sha256(device.id), uid, locale: language },
            context,
          ),
      },
      context,
    );
  }
}

/**
 * POST /login/:uid/device: mails a link that makes this browser a known device, so that other people's failures do
 * not limit it. The response comes first and is the same for unknown accounts.
 */
export const requestDevice = duringMemberSignIn(async (visit) => {
  const { request, response, context, interaction } = visit;
  const { presentation, action, headers } = interaction;
  const formPage = (problem: string, login?: string) =>
    loginPage(presentation, { ...interaction, login, problem });
  const asked = await takeMailRequest(visit, formPage);
  if (!asked) return;
  const device = deviceOf(request, context);
  rememberDevice(response, device.cookie, context);
  const sent = { action, minutes: deviceLink.minutes, why: 'checkMailDeviceWhy' } as const;
  sendPage(response, sentPage(presentation, sent), 200, headers);
  recordEvent(visit, 'device_link_requested');
  context.afterResponse.run(sendLinks(asked.login, device, interaction, context));
});
