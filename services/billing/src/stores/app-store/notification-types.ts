import type { NotificationTypeV2, Subtype } from '@apple/app-store-server-library';

/** The effect of a notification: `ask` for the state of the subscription, or nothing. */
interface Effect {
  readonly effect: 'ask' | 'nothing';
  /** None, or one of these: the answer says what they do, so each has the effect of its type. */
  readonly subtypes?: readonly `${Subtype}`[];
}

/** App Store Server Notifications (version 2). */
export const notificationTypes: Record<`${NotificationTypeV2}`, Effect> = {
  SUBSCRIBED: { effect: 'ask', subtypes: ['INITIAL_BUY', 'RESUBSCRIBE'] },
  OFFER_REDEEMED: { effect: 'ask', subtypes: ['INITIAL_BUY', 'RESUBSCRIBE', 'UPGRADE', 'DOWNGRADE'] },
  DID_RENEW: { effect: 'ask', subtypes: ['BILLING_RECOVERY'] },
  DID_CHANGE_RENEWAL_PREF: { effect: 'ask', subtypes: ['UPGRADE', 'DOWNGRADE'] },
  DID_CHANGE_RENEWAL_STATUS: { effect: 'ask', subtypes: ['AUTO_RENEW_ENABLED', 'AUTO_RENEW_DISABLED'] },
  DID_FAIL_TO_RENEW: { effect: 'ask', subtypes: ['GRACE_PERIOD'] },
  GRACE_PERIOD_EXPIRED: { effect: 'ask' },
  EXPIRED: {
    effect: 'ask',
    subtypes: ['VOLUNTARY', 'BILLING_RETRY', 'PRICE_INCREASE', 'PRODUCT_NOT_FOR_SALE'],
  },
  PRICE_INCREASE: { effect: 'ask', subtypes: ['PENDING', 'ACCEPTED'] },
  PRICE_CHANGE: { effect: 'ask' },
  REFUND: { effect: 'ask' },
  REFUND_REVERSED: { effect: 'ask' },
  REFUND_DECLINED: { effect: 'ask' },
  REVOKE: { effect: 'ask' },
  RENEWAL_EXTENDED: { effect: 'ask' },
  MIGRATION: { effect: 'ask' },
  // For one app as a whole: each subscription gets RENEWAL_EXTENDED of its own.
  RENEWAL_EXTENSION: { effect: 'nothing', subtypes: ['SUMMARY', 'FAILURE'] },
  // Apple asks for data on how the member used the purchase, which needs the member's consent; an answer is voluntary.
  CONSUMPTION_REQUEST: { effect: 'nothing' },
  // Not about subscriptions.
  ONE_TIME_CHARGE: { effect: 'nothing' },
  EXTERNAL_PURCHASE_TOKEN: { effect: 'nothing', subtypes: ['UNREPORTED'] },
  RESCIND_CONSENT: { effect: 'nothing' },
  METADATA_UPDATE: { effect: 'nothing' },
  TEST: { effect: 'nothing' },
};

/** Whether a type changes no subscription. One that Apple has added since may change the one that it names. */
export const isIrrelevant = (type: string | undefined): boolean =>
  new Map<string | undefined, Effect>(Object.entries(notificationTypes)).get(type)?.effect === 'nothing';
