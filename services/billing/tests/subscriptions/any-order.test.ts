import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assert, asyncProperty } from 'fast-check';
import { subscriptionStatus } from '../../src/memberships/combined.ts';
import { productOf } from '../../src/prices/offers.ts';
import type { ServiceUnderTest } from '../harness.ts';
import { startWithAppStore } from './app-store-harness.ts';
import { startWithGooglePlay } from './google-play-harness.ts';
import { storyOf, tell } from './stories.ts';
import { half, startWithStripe } from './stripe-harness.ts';

/** A store with what can happen to a subscription there, and a service that hears of it. */
interface Driven {
  readonly billing: ServiceUnderTest & { closeAll: () => Promise<void> };
  readonly acts: Readonly<Record<string, (subscription: string) => unknown>>;
  /** Begins a subscription of a member. */
  readonly begin: (member: number) => Promise<string>;
  /** The names of a subscription, and of those that have replaced it. */
  readonly referencesOf: (subscription: string) => readonly string[];
  /** The deliveries of the notifications so far. */
  readonly deliveries: () => readonly (() => Promise<unknown>)[];
  /** Acts as an app at its start. */
  readonly startApp?: (member: number, subscription: string) => Promise<void>;
}

async function appStore(): Promise<Driven> {
  const billing = await startWithAppStore('any-order');
  const { store } = billing;
  return {
    billing,
    acts: {
      renew: (id) => store.renew(id),
      grace: (id) => store.failRenewal(id, 6),
      retry: (id) => store.failRenewal(id),
      expire: (id) => store.expire(id),
      resubscribe: (id) => store.resubscribe(id),
      off: (id) => store.switchRenewal(id, false),
      on: (id) => store.switchRenewal(id, true),
      upgrade: (id) => store.change(id, 'ios.6', { days: 180 }),
      downgrade: (id) => store.change(id, 'ios.1', { isUpgrade: false }),
      extend: (id) => store.extend(id, 5),
      refund: (id) => store.refund(id),
      reverse: (id) => store.reverseRefund(id),
    },
    begin: (member) => billing.buy(member),
    referencesOf: (id) => [`com.test.ios:Production:${id}`],
    deliveries: () => store.notices.map((notice) => () => billing.deliver(notice).expect(200)),
  };
}

async function googlePlay(): Promise<Driven> {
  const billing = await startWithGooglePlay('play-any-order');
  const { play } = billing;
  /** The tokens that a subscription has had, by the first one. */
  const tokens = new Map<string, string[]>();
  const tokensOf = (first: string): string[] => tokens.get(first) ?? [first];
  const last = (first: string) => tokensOf(first).at(-1) ?? first;
  const replace = (first: string, token: string) => tokens.set(first, [...tokensOf(first), token]);
  const quarter = { product: 'android1.3', days: 90, price: 5_997 };
  return {
    billing,
    acts: {
      renew: (id) => play.renew(last(id)),
      grace: (id) => play.grace(last(id)),
      hold: (id) => play.hold(last(id)),
      pause: (id) => play.pause(last(id)),
      cancel: (id) => play.cancel(last(id)),
      restart: (id) => play.restart(last(id)),
      upgrade: (id) => replace(id, play.buy({ ...quarter, replaces: last(id) })),
      downgrade: (id) => replace(id, play.defer(last(id), 'android1.1')),
      refundPart: (id) => play.refundPart(last(id), 500),
      refund: (id) => play.refund(last(id)),
      revoke: (id) => play.revoke(last(id)),
      expire: (id) => play.expire(last(id)),
      again(id) {
        play.expire(last(id));
        replace(id, play.buy({ product: 'android1.1', expired: last(id) }));
      },
    },
    begin: (member) => billing.subscribed(member),
    referencesOf: (id) => tokensOf(id).map((token) => `com.test:${token}`),
    deliveries: () =>
      play.notices.map((notice) => async () => expect((await billing.deliver(notice)).status).toBe(200)),
    // Google lists no purchases: where the notification of one is lost, only the app has its token.
    async startApp(member, id) {
      for (const token of tokensOf(id)) expect((await billing.restore(member, [token])).status).toBe(200);
    },
  };
}

async function stripe(): Promise<Driven> {
  const billing = await startWithStripe('stripe-any-order');
  const { stripe: account } = billing;
  return {
    billing,
    acts: {
      renew: (id) => account.renew(id),
      decline: (id) => account.failRenewal(id),
      giveUp: (id) => account.giveUp(id),
      off: (id) => account.switchRenewal(id, false),
      on: (id) => account.switchRenewal(id, true),
      cancel: (id) => account.cancelNow(id),
      upgrade: (id) => account.change(id, half),
      pause: (id) => account.pause(id),
      resume: (id) => account.pause(id, false),
      refundPart: (id) => account.refund(id, 500),
      refund: (id) => account.refund(id),
      dispute: (id) => account.dispute(id),
      win: (id) => account.dispute(id, 'won'),
    },
    async begin(member) {
      const id = await billing.buy(member);
      // The hourly job: Stripe lists events of 30 days, and the daily look is at subscriptions that are known.
      await billing.missed();
      return id;
    },
    referencesOf: (id) => [id],
    deliveries: () =>
      account.events.map((event) => async () => expect((await billing.deliver(event)).status).toBe(200)),
  };
}

/** The membership that the member sees, and the balance of the ledger. */
async function outcomeOf({ own, context }: ServiceUnderTest, member: number) {
  const { membership_status, autorenew, expirationdate, package: sold } = await own(member);
  const balance = (await context.ledger.of(member)).reduce((sum, { amount }) => sum + amount, 0);
  return { membership_status, autorenew, expirationdate, rate: sold?.rate_id ?? null, balance };
}

/** The same by what the store answers now, and nothing else. */
async function answerOf({ context, time }: ServiceUnderTest, references: readonly string[]) {
  const [store] = context.stores.all;
  const states = await Promise.all(references.map((reference) => store?.ask(reference)));
  const state = states.at(-1);
  if (!state) throw new Error('the store does not know it');
  const status = subscriptionStatus(state, time.now);
  const isOver = status === 'none';
  const charges = states.flatMap((one) => one?.charges ?? []);
  return {
    membership_status: status,
    autorenew: !isOver && state.autorenew,
    expirationdate: isOver ? null : state.expires_at.toISOString(),
    rate: isOver ? null : (productOf(context.packageData, state.app, state.product)?.rate_id ?? null),
    balance: charges.reduce((sum, { amount, refund }) => sum + amount - (refund?.amount ?? 0), 0),
  };
}

const stores = { 'the App Store': appStore, 'Google Play': googlePlay, Stripe: stripe };

describe.each(Object.entries(stores))(
  'any order, repetition and loss of notifications of %s',
  (_name, start) => {
    let driven: Driven;
    beforeAll(async () => {
      driven = await start();
    });
    afterAll(() => driven.billing.closeAll());
    let members = 1_000;

    it(
      'ends in the membership that asking the store gives',
      async () => {
        const { billing, acts, begin, referencesOf, deliveries, startApp } = driven;
        const property = asyncProperty(storyOf(Object.keys(acts)), async (story) => {
          const member = (members += 1);
          billing.time.now = new Date('2026-06-15T12:00:00Z');
          const from = deliveries().length;
          const id = await begin(member);
          await tell(billing, story, {
            happen: (act) => acts[act]?.(id),
            sent: () => deliveries().slice(from),
          });
          // After any losses: a day later the job has asked about all known references, and the history names the rest.
          await billing.missed();
          await startApp?.(member, id);
          await billing.moveTo(new Date(billing.time.now.getTime() + 86_400_001).toISOString());
          expect(await outcomeOf(billing, member)).toEqual(await answerOf(billing, referencesOf(id)));
        });
        await assert(property, { ...fuzzing(12), endOnFailure: true });
      },
      fuzzingMs(60_000),
    );
  },
);
