import type { PushType } from '@covalence/contract/push-types';

/** A device that takes push messages (POST /webpush). */
export interface PushSubscription {
  /** Hash of the endpoint, by which a device is found. */
  readonly id: string;
  readonly endpoint: string;
  /** The device's public key and secret, web-safe base64. */
  readonly p256dh: string;
  readonly auth: string;
  /** What the member wants to be told there. */
  readonly types: readonly PushType[];
  readonly added_at: Date;
}
