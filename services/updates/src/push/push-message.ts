import { pushTypes, type PushType } from '@covalence/contract/push-types';
import type { Notification } from '../live/notification.ts';
import { pushText } from './push-texts.ts';

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

/**
 * The JSON that a device receives: the site's title, a text that names nobody, and the frame's data, so that a tap opens the
 * right page. The event id is the `tag`, so that a device shows a repeated message once.
 */
export function pushPayload(
  type: PushType,
  { eventId, update }: PushMessage,
  { title, locale }: { readonly title: string; readonly locale: string },
): string {
  const { text, lang } = pushText(type, locale);
  return JSON.stringify({ type, title, body: text, lang, tag: eventId, at: update.at, data: update.data });
}
