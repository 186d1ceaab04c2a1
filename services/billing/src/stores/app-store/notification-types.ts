import type { NotificationTypeV2 } from '@apple/app-store-server-library';

/** What App Store Server Notifications (version 2) do: `ask` for the state of the subscription, or nothing. */
export const effects: Record<`${NotificationTypeV2}`, 'ask' | 'nothing'> = {
  SUBSCRIBED: 'ask',
  OFFER_REDEEMED: 'ask',
  DID_RENEW: 'ask',
  DID_CHANGE_RENEWAL_PREF: 'ask',
  DID_CHANGE_RENEWAL_STATUS: 'ask',
  DID_FAIL_TO_RENEW: 'ask',
  GRACE_PERIOD_EXPIRED: 'ask',
  EXPIRED: 'ask',
  PRICE_INCREASE: 'ask',
  PRICE_CHANGE: 'ask',
  REFUND: 'ask',
  REFUND_REVERSED: 'ask',
  REFUND_DECLINED: 'ask',
  REVOKE: 'ask',
  RENEWAL_EXTENDED: 'ask',
  MIGRATION: 'ask',
  // For one app as a whole: each subscription gets RENEWAL_EXTENDED of its own.
  RENEWAL_EXTENSION: 'nothing',
  // Apple asks for data on how the member used the purchase, which needs the member's consent; an answer is voluntary.
  CONSUMPTION_REQUEST: 'nothing',
  // Not about subscriptions.
  ONE_TIME_CHARGE: 'nothing',
  EXTERNAL_PURCHASE_TOKEN: 'nothing',
  RESCIND_CONSENT: 'nothing',
  METADATA_UPDATE: 'nothing',
  TEST: 'nothing',
};
