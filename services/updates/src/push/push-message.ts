import { pushTypes, type PushedType, type PushType } from '@covalence/contract/push-types';
import { dayMs } from '@covalence/contract/time';
import type { Notification } from '../live/notification.ts';
import type { Target } from './push-target.ts';
import { pushText } from './push-texts.ts';
import type { PushContent } from './transports/transport.ts';

/** The fields of a notification that a push message contains. */
export interface PushMessage {
  readonly eventId: string;
  readonly update: { readonly at: string; readonly data: object };
}

/** Notifications older than this are not pushed. */
const staleMs = dayMs;

/** The push type of a notification, if it has one. */
export function pushTypeOf({ update }: Pick<Notification, 'update'>): PushType | undefined {
  return pushTypes.find((type) => type === update.type);
}

/** Whether a notification from a time (ISO) is too old to be pushed. */
export const isStale = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > staleMs;

/** The name and text that the member wants to see of a message, if profile found them. */
function previewOf({ update }: PushMessage, previews: Target['previews'] = []) {
  const { profileid, messageid } = update.data as { profileid?: number; messageid?: string };
  return previews.find((one) => one.profileid === profileid && one.messageid === messageid);
}

/**
 * The notification for a device, in its language, else the member's: the site's title and a text without
 * names. Only a member who wants it sees a name, and the beginning of a message.
 */
export function pushContent(
  type: PushedType,
  message: PushMessage & { readonly count: number },
  { title, locale, unread, previews }: Pick<Target, 'title' | 'locale' | 'unread' | 'previews'>,
): PushContent {
  const { eventId, update, count } = message;
  const { text, lang } = pushText(
    type,
    locale,
    type === 'message' ? Math.min(count, unread ?? count) : count,
  );
  const preview = count === 1 ? previewOf(message, previews) : undefined;
  return {
    type,
    title: preview?.name ?? title,
    body: preview?.text ?? text,
    lang,
    tag: eventId,
    at: update.at,
    data: update.data,
    unread: unread ?? 0,
  };
}
