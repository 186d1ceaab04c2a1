import { pushTypes, type PushType } from '@covalence/contract/push-types';
import type { Notification } from '../live/notification.ts';
import { pushText } from './push-texts.ts';
import type { PushContent } from './transports/transport.ts';

/** The fields of a notification that a push message contains. */
export interface PushMessage {
  readonly eventId: string;
  readonly update: { readonly at: string; readonly data: object };
}

/** Notifications older than this are not pushed. */
const staleMs = 86_400_000;

/** The push type of a notification, if it has one. */
export function pushTypeOf({ update }: Notification): PushType | undefined {
  return pushTypes.find((type) => type === update.type);
}

/** Whether a notification from a time (ISO) is too old to be pushed. */
export const isStale = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > staleMs;

/** What a device is told: the site's title and a text that names nobody, in the device's language, else the member's. */
export function pushContent(
  type: PushType,
  { eventId, update }: PushMessage,
  { title, locale, unread = 0 }: { title: string; locale: string; unread?: number | undefined },
): PushContent {
  const { text, lang } = pushText(type, locale);
  return { type, title, body: text, lang, tag: eventId, at: update.at, data: update.data, unread };
}
