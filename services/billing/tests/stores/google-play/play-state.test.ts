import { describe, expect, it } from '@jest/globals';
import type { PlayPurchase } from '../../../src/stores/google-play/google-play-api.ts';
import { playState } from '../../../src/stores/google-play/play-state.ts';

const now = new Date('2022-05-01T00:00:00Z');
const next = '2022-05-22T18:39:58.270Z';

/** The answers of purchases.subscriptionsv2.get as Google's guide to the life of subscriptions prints them. */
const subscription = {
  kind: 'androidpublisher#subscriptionPurchaseV2',
  startTime: '2022-04-22T18:39:58.270Z',
  regionCode: 'US',
  subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
  lineItems: [
    {
      productId: 'sub_variant_plan01',
      expiryTime: next,
      autoRenewingPlan: { autoRenewEnabled: true },
      offerPhase: { basePrice: {} },
    },
  ],
};
const [line] = subscription.lineItems;

const stateOf = (purchase: PlayPurchase, at = now) => playState('com.test', purchase, [], 'token', at);

describe('a subscription as Google prints it', () => {
  it.each([
    [
      'new, in its free trial',
      {
        acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
        lineItems: [{ ...line, offerPhase: { freeTrial: {} } }],
      },
      { phase: 'running', autorenew: true, isUnfinished: true },
    ],
    ['renewed', {}, { phase: 'running', autorenew: true, product: 'sub_variant_plan01' }],
    [
      'in its grace period',
      { subscriptionState: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD' },
      { phase: 'running', autorenew: true },
    ],
    ['on hold', { subscriptionState: 'SUBSCRIPTION_STATE_ON_HOLD' }, { phase: 'waiting' }],
    ['paused', { subscriptionState: 'SUBSCRIPTION_STATE_PAUSED' }, { phase: 'waiting', autorenew: true }],
    [
      'canceled',
      {
        subscriptionState: 'SUBSCRIPTION_STATE_CANCELED',
        lineItems: [{ productId: 'sub_variant_plan01', expiryTime: next }],
      },
      { phase: 'running', autorenew: false },
    ],
    ['expired or revoked', { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' }, { phase: 'ended' }],
    [
      'bought in installments, of which some are to come after its cancellation',
      {
        lineItems: [
          {
            productId: 'sub_plan01',
            expiryTime: next,
            autoRenewingPlan: {
              autoRenewEnabled: true,
              recurringPrice: { currencyCode: 'USD', units: '1', nanos: 990_000_000 },
              installmentDetails: {
                initialCommittedPaymentsCount: 6,
                remainingCommittedPaymentsCount: 5,
                pendingCancellation: {},
              },
            },
          },
        ],
      },
      { phase: 'running', product: 'sub_plan01', currency: 'USD' },
    ],
    [
      'the successor of another',
      { linkedPurchaseToken: 'old_purchase_token' },
      { phase: 'running', replaces: 'com.test:old_purchase_token' },
    ],
    [
      'prepaid',
      {
        lineItems: [
          {
            productId: 'prepaid_plan01',
            expiryTime: next,
            prepaidPlan: { allowExtendAfterTime: '2022-05-15T18:39:58.270Z' },
          },
        ],
      },
      { phase: 'running', autorenew: false, product: 'prepaid_plan01' },
    ],
  ])('%s is read', (_case, change, expected) => {
    const state = stateOf({ ...subscription, ...change });
    expect(state).toMatchObject({ expires_at: new Date(next), ...expected });
  });

  it('goes on for two days after its end while it is active and renews', () => {
    const late = new Date(Date.parse(next) + 1);
    expect(stateOf(subscription, late).expires_at).toEqual(new Date('2022-05-24T18:39:58.270Z'));
    const canceled = {
      ...subscription,
      lineItems: [{ ...line, autoRenewingPlan: { autoRenewEnabled: false } }],
    };
    expect(stateOf(canceled, late).expires_at).toEqual(new Date(next));
  });
});
