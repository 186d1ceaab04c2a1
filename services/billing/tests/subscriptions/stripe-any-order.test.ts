import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assert, asyncProperty } from 'fast-check';
import { subscriptionStatus } from '../../src/memberships/combined.ts';
import { storyOf, tell } from './stories.ts';
import { half, startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-any-order');
});
afterAll(() => billing.closeAll());

const acts = {
  renew: (id: string) => billing.stripe.renew(id),
  decline: (id: string) => billing.stripe.failRenewal(id),
  giveUp: (id: string) => billing.stripe.giveUp(id),
  off: (id: string) => billing.stripe.switchRenewal(id, false),
  on: (id: string) => billing.stripe.switchRenewal(id, true),
  cancel: (id: string) => billing.stripe.cancelNow(id),
  upgrade: (id: string) => billing.stripe.change(id, half),
  pause: (id: string) => billing.stripe.pause(id),
  resume: (id: string) => billing.stripe.pause(id, false),
  refundPart: (id: string) => billing.stripe.refund(id, 500),
  refund: (id: string) => billing.stripe.refund(id),
  dispute: (id: string) => billing.stripe.dispute(id),
  win: (id: string) => billing.stripe.dispute(id, 'won'),
} as const;
const names = Object.keys(acts) as (keyof typeof acts)[];

let members = 1_000;

/** What the member sees, and what the ledger adds up to. */
async function outcomeOf(member: number) {
  const { membership_status, autorenew, expirationdate } = await billing.own(member);
  const lines = await billing.context.ledger.of(member);
  const balance = lines.reduce((sum, { amount }) => sum + amount, 0);
  return { membership_status, autorenew, expirationdate, balance };
}

/** The same by what Stripe answers now, and nothing else. */
async function answerOf(id: string) {
  const [store] = billing.context.stores.all;
  const state = await store?.ask(id);
  if (!state) throw new Error('Stripe does not know it');
  const status = subscriptionStatus(state, billing.time.now);
  const isOver = status === 'none';
  return {
    membership_status: status,
    autorenew: !isOver && state.autorenew,
    expirationdate: isOver ? null : state.expires_at.toISOString(),
    balance: state.charges.reduce((sum, { amount, refund }) => sum + amount - (refund?.amount ?? 0), 0),
  };
}

describe('any order, repetition and loss of Stripe’s events', () => {
  it(
    'ends in the membership that asking Stripe gives',
    async () => {
      const property = asyncProperty(storyOf(names), async (story) => {
        const member = (members += 1);
        billing.time.now = new Date('2026-06-15T12:00:00Z');
        const from = billing.stripe.events.length;
        const id = await billing.buy(member);
        // The hourly job: Stripe lists events of 30 days, and the daily look is at subscriptions that are known.
        await billing.missed();
        await tell(billing, story, {
          happen: (act) => acts[act](id),
          sent: () => billing.stripe.events.slice(from),
          deliver: async (event) => expect((await billing.deliver(event)).status).toBe(200),
        });
        await billing.missed();
        await billing.moveTo(new Date(billing.time.now.getTime() + 86_400_001).toISOString());
        expect(await outcomeOf(member)).toEqual(await answerOf(id));
      });
      await assert(property, { ...fuzzing(15), endOnFailure: true });
    },
    fuzzingMs(60_000),
  );
});
