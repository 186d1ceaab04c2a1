import { z } from 'zod';
import { isSameText } from '../../keys/seal.ts';
import { sha256 } from '../../keys/algorithms.ts';
import { storedLink } from '../../mail/links.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { isToRecipient, linkPage, ofAnotherBrowser } from '../link-page.ts';
import { recordEvent } from '../record-event.ts';

/** Links that make the browser that asked for them a known device. */
export const deviceLink = storedLink({
  kind: 'device-link',
  route: '/device/:token',
  minutes: 30,
  schema: z.object({
    member_id: z.string(),
    /** Recipient of the mail. */
    to: z.string(),
    /** Hash of the browser's id. */
    device: z.string(),
    /** Interaction in which it asked. */
    uid: z.string(),
    locale: z.string().optional(),
  }),
});

/** /device/:token: makes the browser a known device of the account and returns to the login form. Idempotent. */
export const devicePage = linkPage({
  kind: deviceLink,
  read(link, { request, context }) {
    if (!isToRecipient(link, context.clock())) return undefined;
    const device = deviceOf(request, context);
    if (!isSameText(sha256(device.id), link.device)) return ofAnotherBrowser(link);
    return { ...link, known: device };
  },
  question: () => ({ title: 'confirmDevice', text: 'confirmDeviceWhy', button: 'proceed' }),
  async confirm({ account, known, uid }, { request, response, context }) {
    rememberDevice(response, known.withAccount(account), context);
    recordEvent({ request, context }, 'device_confirmed', { account });
    return { location: `/login/${uid}` };
  },
});
