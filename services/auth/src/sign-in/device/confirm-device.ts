import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { confirmDevicePage, messagePage } from '../pages/account-pages.ts';
import { presentationOf, remember } from '../../localization/presentation.ts';
import { redirect, sendInvalidLink, sendPage } from '../pages/respond.ts';
import { findDeviceLink } from './device-link.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The link of a request. In another browser, or without a valid link, sends a page; the link stays usable. */
async function linkHere(request: Request, response: Response, context: SignInContext) {
  const link = await findDeviceLink(String(request.params['token']), context);
  if (!link) {
    sendInvalidLink(request, response, context);
    return undefined;
  }
  const { account, locale } = link;
  const presentation = remember(request, presentationOf({ siteid: account.siteid, locale }, context.sites));
  const device = deviceOf(request, context);
  if (link.isFrom(device)) return { ...link, presentation, device };
  sendPage(response, messagePage(presentation, 'deviceElsewhere', 'deviceElsewhereWhy'), 403);
  return undefined;
}

/** GET /device/:token: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askForDevice: PageHandler = async (request, response, context) => {
  const link = await linkHere(request, response, context);
  if (!link) return;
  sendPage(response, confirmDevicePage(link.presentation, { action: request.originalUrl }));
};

/** POST /device/:token: makes the browser a known device of the account and returns to the login form. Idempotent. */
export const confirmDevice: PageHandler = async (request, response, context) => {
  const link = await linkHere(request, response, context);
  if (!link) return;
  const { account, device, uid } = link;
  rememberDevice(response, device.withAccount(account), context);
  context.security.record('device_confirmed', {
    member: account._id,
    address: addressKey(request.ip ?? ''),
  });
  redirect(response, `/login/${uid}`);
};
