import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assert, asyncProperty } from 'fast-check';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';
import { storyOf, tell } from './stories.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('any-order');
});
afterAll(() => billing.closeAll());

const acts = {
  renew: (original: string) => billing.store.renew(original),
  grace: (original: string) => billing.store.failRenewal(original, 6),
  retry: (original: string) => billing.store.failRenewal(original),
  expire: (original: string) => billing.store.expire(original),
  resubscribe: (original: string) => billing.store.resubscribe(original),
  off: (original: string) => billing.store.switchRenewal(original, false),
  on: (original: string) => billing.store.switchRenewal(original, true),
  upgrade: (original: string) => billing.store.change(original, 'ios.6', { days: 180 }),
  downgrade: (original: string) => billing.store.change(original, 'ios.1', { isUpgrade: false }),
  extend: (original: string) => billing.store.extend(original, 5),
  refund: (original: string) => billing.store.refund(original),
  reverse: (original: string) => billing.store.reverseRefund(original),
} as const;
const names = Object.keys(acts) as (keyof typeof acts)[];

let members = 1_000;

/** The membership and the bookings of a member, without what differs between members. */
async function outcomeOf(member: number) {
  const { membership_status, autorenew, expirationdate, package: sold, history } = await billing.own(member);
  const balance = history.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  return {
    membership_status,
    autorenew,
    expirationdate,
    rate: sold?.rate_id ?? null,
    balance,
  };
}

/** A member with a new subscription. */
async function begin() {
  const member = (members += 1);
  billing.time.now = new Date('2026-06-15T12:00:00Z');
  return { member, original: await billing.buy(member) };
}

describe('any order, repetition and loss of notifications', () => {
  it(
    'ends in the membership that asking the store gives',
    async () => {
      const property = asyncProperty(storyOf(names), async (story) => {
        const { member, original } = await begin();
        const from = billing.store.notices.length - 1;
        await tell(billing, story, {
          happen: (act) => acts[act](original),
          sent: () => billing.store.notices.slice(from),
          deliver: (notice) => billing.deliver(notice).expect(200),
        });
        // Whatever was lost: a day later the job has asked about what it knows, and the history names the rest.
        await billing.missed();
        await billing.moveTo(new Date(billing.time.now.getTime() + 86_400_001).toISOString());
        const outcome = await outcomeOf(member);

        // A second member, to whom the same happens unseen, and who then hands in the receipt.
        const { now } = billing.time;
        const twin = await begin();
        const unseen = { ...story, deliveries: [] };
        const happen = (act: (typeof names)[number]) => acts[act](twin.original);
        await tell(billing, unseen, { happen, sent: () => [], deliver: () => Promise.resolve() });
        billing.time.now = now;
        await billing.restore(twin.member, [await billing.store.receipt(twin.original)]);
        expect(outcome).toEqual(await outcomeOf(twin.member));
      });
      await assert(property, { ...fuzzing(10), endOnFailure: true });
    },
    fuzzingMs(60_000),
  );
});
