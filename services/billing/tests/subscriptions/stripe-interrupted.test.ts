import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replacing } from '../harness.ts';
import { endingAt, endingAtCalls, stepNames } from './interruptions.ts';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-interrupted');
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(() => billing.closeAll());

let members = 100;
/** A subscription whose events were not delivered, and its member. */
async function begin() {
  const member = (members += 1);
  return { member, id: await billing.buy(member) };
}
const amounts = async (member: number) =>
  (await billing.own(member)).history.map(({ amount }: { amount: number }) => amount);
const open = () => [...billing.stripe.pages.values()].filter(({ session }) => session.status === 'open');
const shop = () => {
  const web = billing.context.stores.find('stripe')?.web;
  if (!web) throw new Error('Stripe does not sell on the web');
  return web;
};

describe('a process that ends while it follows a subscription of Stripe', () => {
  it.each(stepNames)('%s loses nothing and books nothing twice', async (step) => {
    const { member, id } = await begin();
    await endingAt(billing.context, step, async () =>
      expect((await billing.deliver()).status).toBeGreaterThan(499),
    );
    // Stripe repeats what was not answered 200.
    expect((await billing.deliver()).status).toBe(200);
    expect(await amounts(member)).toEqual([30]);

    billing.stripe.refund(id);
    await endingAt(billing.context, step, async () =>
      expect((await billing.deliver()).status).toBeGreaterThan(499),
    );
    // Nobody repeats it: the job asks again within a minute, or the next day where nothing was written yet.
    const isUnwritten = step === 'before the store is asked';
    await billing.moveTo(isUnwritten ? '2026-06-16T12:00:01Z' : '2026-06-15T12:01:01Z');
    expect((await billing.own(member)).membership_status).toBe('none');
    expect(await amounts(member)).toEqual([-30, 30]);
    expect(billing.stripe.subscriptions.get(id)?.status).toBe('canceled');
  });

  it.each([false, true])(
    'as a refund cancels it (%s: after Stripe did) cancels it in the end',
    async (isDone) => {
      const { member, id } = await begin();
      await billing.deliver();
      billing.stripe.refund(id);
      const stripe = billing.context.stores.find('stripe') ?? {};
      await endingAtCalls(stripe, ['finish'], isDone, async () =>
        expect((await billing.deliver()).status).toBe(200),
      );
      expect((await billing.own(member)).membership_status).toBe('none');
      await billing.moveTo('2026-06-15T12:01:01Z');
      expect(billing.stripe.subscriptions.get(id)?.status).toBe('canceled');
      expect(await amounts(member)).toEqual([-30, 30]);
    },
  );
});

describe('a process that ends while a member buys', () => {
  it.each([
    ['before Stripe has the customer', shop, ['createCustomer'], false],
    ['after Stripe has the customer', shop, ['createCustomer'], true],
    ['after the customer is kept', () => billing.context.customers, ['create'], true],
    ['after Stripe has the page', shop, ['startCheckout'], true],
    ['after the page is kept', () => billing.context.customers, ['setCheckout'], true],
  ] as const)(
    '%s leaves one customer, and one page that anybody knows',
    async (_case, target, names, isDone) => {
      const member = (members += 1);
      const { size } = billing.stripe.customers;
      const known = new Set(open());
      await endingAtCalls(target(), names, isDone, async () =>
        expect((await billing.purchase(member)).status).toBeGreaterThan(499),
      );
      const page = await billing.page(member);
      expect(billing.stripe.customers.size).toBe(size + 1);
      billing.stripe.complete(page);
      expect((await billing.purchase(member)).body.status).toBe('paid');
      // A page that was lost has no reader, and ends within a day.
      expect(open().filter((one) => !known.has(one)).length).toBeLessThanOrEqual(1);
    },
  );
});

describe('a process that ends while an erased member is forgotten', () => {
  it.each([
    ['before Stripe deletes the customer', shop, 'forget', false],
    ['after Stripe has deleted the customer', shop, 'forget', true],
    ['before the customer is removed', () => billing.context.customers, 'remove', false],
  ] as const)('%s repeats it', async (_case, target, name, isDone) => {
    const { member, id } = await begin();
    await billing.deliver();
    await endingAtCalls(billing.context.subscriptions, ['erase'], false, () =>
      billing.internal('/internal/members/erase', {
        id: member,
        member_id: '0190a000-0000-7000-8000-000000000001',
      }),
    );
    await endingAtCalls(target(), [name], isDone, () => billing.settleCustomers());
    await billing.settleCustomers();
    expect(billing.stripe.subscriptions.get(id)?.status).toBe('canceled');
    expect(await billing.context.connection.collection('customers').countDocuments({ forget: true })).toBe(0);
  });
});

/**
 * Delivers the last event, then acts and delivers the event of that. The first answer of Stripe arrives after that to the second
 * question, or while that is open.
 */
async function deliverLate(act: () => void, isOpen = false): Promise<void> {
  const stripe = billing.context.stores.find('stripe');
  if (!stripe) throw new Error('Stripe is not listed');
  const questions = [1, 2].map(() => ({
    asked: Promise.withResolvers<undefined>(),
    released: Promise.withResolvers<undefined>(),
  }));
  const [first, second] = questions;
  let asked = 0;
  const slowly = (own: typeof stripe) => ({
    async ask(reference: string) {
      const state = await own.ask(reference);
      const question = questions[(asked += 1) - 1];
      question?.asked.resolve(undefined);
      await question?.released.promise;
      return state;
    },
  });
  await replacing(stripe, slowly, async () => {
    const late = billing.deliver();
    await first?.asked.promise;
    act();
    const next = billing.deliver();
    await second?.asked.promise;
    for (const [question, work] of isOpen
      ? [[first, late] as const, [second, next] as const]
      : [[second, next] as const, [first, late] as const]) {
      question?.released.resolve(undefined);
      await work;
    }
  });
}

describe('answers of Stripe that come late', () => {
  it('never replace those to later questions', async () => {
    const { member, id } = await begin();
    await billing.deliver();
    await deliverLate(() => billing.stripe.refund(id));
    expect((await billing.own(member)).membership_status).toBe('none');
    expect(await amounts(member)).toEqual([-30, 30]);
  });

  it.each([
    ['after the next one', false],
    ['while the next question is open', true],
  ])('%s end nothing at Stripe that was paid meanwhile', async (_case, isOpen) => {
    const member = (members += 1);
    const id = billing.stripe.complete(await billing.page(member), true);
    await billing.deliver();
    billing.stripe.bank(id, false);
    await deliverLate(() => billing.stripe.renew(id), isOpen);
    expect(billing.stripe.subscriptions.get(id)?.status).toBe('active');
    expect((await billing.own(member)).membership_status).toBe('active');
  });
});
