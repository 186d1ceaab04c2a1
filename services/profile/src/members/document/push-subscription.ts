import type { PushType } from '@covalence/contract/push-types';

/** A device that takes push messages (POST /webpush). */
export interface PushSubscription {
  /** Hash of the endpoint, by which a device is found. */
  readonly id: string;
  readonly endpoint: string;
  /** The device's public key and secret, web-safe base64. */
  readonly p256dh: string;
  readonly auth: string;
  /** The types of notifications that the device takes. */
  readonly types: readonly PushType[];
  readonly added_at: Date;
}

/** push_ids of the record: the member's UUID while any device takes push messages. */
export function pushIdsOf({
  member_id,
  push_subscriptions: devices,
}: {
  readonly member_id: string;
  readonly push_subscriptions?: readonly PushSubscription[];
}): string[] {
  return devices?.length ? [member_id] : [];
}
