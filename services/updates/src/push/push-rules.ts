import { kindOfPush } from '@covalence/contract/notification-kinds';
import { isSecurityType, type PushedType } from '@covalence/contract/push-types';
import { quietUntil } from '@covalence/contract/quiet-hours';
import type { Target } from './push-target.ts';
import type { QueuedMessage } from './push-queue-store.ts';

type Device = Target['devices'][number];

/** Whether a member wants messages of a type on a device. Those about the security of the account are not chosen by device. */
export const isWanted = (type: PushedType, { muted }: Target, { types }: Device): boolean =>
  !muted.includes(kindOfPush[type]) && (isSecurityType(type) || types.includes(type));

/** The end of the member's quiet hours, in which all messages wait but those about the security of the account. */
export const waitsUntil = (type: PushedType, { quiet_hours: hours }: Target, now: Date): Date | undefined =>
  isSecurityType(type) || !hours ? undefined : quietUntil(hours, now);

/** Whether either member has blocked the other since the message was queued. */
export const isBlocked = ({ count, update: { data } }: QueuedMessage, { blocked = [] }: Target): boolean =>
  count === 1 && blocked.some((id) => id === (data as { profileid?: number }).profileid);

/** Whether the member has read all messages while one waited. */
export const isRead = ({ type }: QueuedMessage, { unread }: Target): boolean =>
  type === 'message' && unread === 0;
