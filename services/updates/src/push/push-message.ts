import { pushTypes, type PushType } from '@covalence/contract/push-types';
import type { Notification } from '../live/notification.ts';
import { pushText } from './push-texts.ts';

/** What of a message a device is told of. */
export interface PushMessage {
  readonly eventId: string;
  readonly update: { readonly at: string; readonly data: object };
}

/** A day later nobody wants to know. */
const staleMs = 86_400_000;

/** What a message is about, where it can be told by push. */
export function pushTypeOf({ update }: Notification): PushType | undefined {
  return pushTypes.find((type) => type === update.type);
}

/** Whether what happened at a time, ISO, is too old to be told by push. */
export const isStale = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > staleMs;

/**
 * What a device is sent, JSON: the site's title, a text that names nobody, and the frame's data, so that a tap leads to the
 * right place. `tag` is the event's, so that a message that comes twice is shown once.
 */
export function pushPayload(
  type: PushType,
  { eventId, update }: PushMessage,
  { title, locale }: { readonly title: string; readonly locale: string },
): string {
  const { text, lang } = pushText(type, locale);
  return JSON.stringify({ type, title, body: text, lang, tag: eventId, at: update.at, data: update.data });
}
