import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { mailSetting } from '../../mail/mail-context.ts';
import { confirmDevicePage, messagePage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting } from '../../localization/presentation.ts';
import { pageHeaders } from '../pages/style.ts';
import { findDeviceLink } from './device-link.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';

/** What a link is for, in the browser that asked for it; elsewhere a page says where to open it, and nothing is used up. */
async function linkHere(request: Request, response: Response, context: Context) {
  const link = await findDeviceLink(String(request.params['token']), context);
  if (!link) {
    const setting = strangersSetting(request, context.sites);
    response
      .status(400)
      .set(pageHeaders())
      .send(messagePage(setting, 'linkOld', 'linkOldWhy'));
    return undefined;
  }
  const setting = noteSetting(request, mailSetting(link.account, context.sites, link.locale));
  const device = deviceOf(request, context);
  if (link.isFrom(device)) return { ...link, setting, device };
  response
    .status(403)
    .set(pageHeaders())
    .send(messagePage(setting, 'deviceElsewhere', 'deviceElsewhereWhy'));
  return undefined;
}

/** GET /device/:token: asks; programs that look into mails open links, but press no buttons. */
export async function askForDevice(request: Request, response: Response, context: Context): Promise<void> {
  const link = await linkHere(request, response, context);
  if (!link) return;
  response.set(pageHeaders()).send(confirmDevicePage(link.setting, request.originalUrl));
}

/** POST /device/:token: the account is known in this browser from now on; the form comes next. May be sent again. */
export async function confirmDevice(request: Request, response: Response, context: Context): Promise<void> {
  const link = await linkHere(request, response, context);
  if (!link) return;
  const { account, device, uid } = link;
  rememberDevice(response, device.withAccount(account._id), context);
  context.security.record('device_confirmed', {
    member: account._id,
    address: addressKey(request.ip ?? ''),
  });
  response
    .status(303)
    .set({ Location: `/login/${uid}`, 'Cache-Control': 'no-store' })
    .end();
}
