import { findTraces } from '@covalence/testing/find-traces';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-account');
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(() => billing.closeAll());

const subscribed = async (id: number): Promise<string> => {
  const subscription = await billing.buy(id);
  await billing.deliver();
  return subscription;
};
const atStripe = (id: string) => {
  const { status, cancel_at_period_end } = billing.stripe.subscriptions.get(id) ?? {};
  return [status, cancel_at_period_end];
};
const status = async (id: number) => {
  const { membership_status, autorenew } = await billing.own(id);
  return [membership_status, autorenew];
};
const cancel = (id: number) => billing.post('/packages/cancel', {}, { id });
/** Acts as profile when an account is deleted or suspended, or renewal is switched. */
const switchRenewal = (member: number, autorenew: boolean) =>
  billing.internal('/internal/memberships/renewal', { member, autorenew });
const staff = { id: 0, siteid: 0, scope: 'staff' };
const subject = (id: number) => ({ id, member_id: '0190a000-0000-7000-8000-000000000001' });

const open = (id: number, return_url = 'https://app.example/membership', caller: object = {}) =>
  billing.post('/packages/portal', { return_url }, { id, ...caller });
const erase = (id: number) => billing.internal('/internal/members/erase', subject(id)).expect(200);

describe('the end of renewal', () => {
  it('happens at Stripe, and the member renews on the dashboard or by the switch', async () => {
    const subscription = await subscribed(1);
    expect(await cancel(1)).toMatchObject({
      status: 200,
      body: { membership_status: 'active', autorenew: false },
    });
    expect(atStripe(subscription)).toEqual(['active', true]);
    // A second subscription would be paid for the same days.
    expect((await billing.packages({}, { id: 1 })).body.can_purchase).toBe(false);
    expect((await billing.purchase(1)).body).toEqual({ fail: 'Purchase Not Possible' });
    await switchRenewal(1, true).expect(200);
    expect(atStripe(subscription)).toEqual(['active', false]);
    expect(await status(1)).toEqual(['active', true]);
  });

  it('ends what is unpaid at once, so that no later try charges it', async () => {
    const subscription = await subscribed(2);
    billing.time.now = new Date('2026-07-15T12:00:00Z');
    billing.stripe.failRenewal(subscription);
    await billing.deliver();
    expect(await status(2)).toEqual(['inactive', true]);
    expect((await cancel(2)).body).toMatchObject({ membership_status: 'none', autorenew: false });
    expect(atStripe(subscription)[0]).toBe('canceled');
  });

  it('waits for a debit that is on its way, so that nobody pays for a subscription that has ended', async () => {
    const awaited = billing.stripe.debit(await billing.page(40));
    await billing.purchase(40);
    expect((await cancel(40)).status).toBe(200);
    await billing.moveTo('2026-06-18T12:00:00Z');
    expect(atStripe(awaited)).toEqual(['incomplete', false]);
    billing.stripe.bank(awaited, true);
    await billing.deliver();
    await billing.moveTo('2026-06-18T12:01:01Z');
    expect(atStripe(awaited)).toEqual(['active', true]);
    expect(await status(40)).toEqual(['active', false]);
  });

  it('is 503 while only the change fails, and the member’s own where Stripe refuses it', async () => {
    const [failed, refused] = [await subscribed(33), await subscribed(34)];
    billing.stripe.failOn('POST subscriptions', 'internal');
    expect((await cancel(33)).status).toBe(503);
    billing.stripe.failOn('POST subscriptions');
    expect(await cancel(34)).toMatchObject({ status: 403, body: { fail: 'Managed By Store' } });
    billing.stripe.failOn();
    // The dashboard is where the member ends it.
    expect(await billing.own(34)).toMatchObject({ autorenew: true, store: { manage_url: null } });
    expect((await open(34)).status).toBe(200);
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect([failed, refused].map(atStripe)).toEqual([
      ['active', true],
      ['active', true],
    ]);
  });

  it.each([
    ['refuses it', 37, undefined, 15],
    ['does not let the key do it', 38, 'permission' as const, 33],
  ])('is sent again where Stripe %s, and known to support and an alert after a day', async (...row) => {
    const [, member, kind, told] = row;
    const subscription = await subscribed(member);
    const tries = () =>
      billing.stripe.calls.filter((call) => call === `POST subscriptions/${subscription}`).length;
    const report = async () =>
      (await billing.get(`/staff/memberships/${member}`, staff)).body.subscriptions[0];
    const alarms = async () => {
      const { values } = await billing.context.metrics.storeAnswers.get();
      return values.find(({ labels }) => labels['outcome'] === 'unswitched')?.value ?? 0;
    };
    const before = await alarms();
    billing.stripe.failOn('POST subscriptions', kind);
    await switchRenewal(member, false).expect(200);
    const looks: string[] = [];
    const answers: number[] = [];
    while ((await alarms()) === before && looks.length < 50) {
      const one = await billing.context.subscriptions.find({ store: 'stripe', reference: subscription });
      looks.push(one?.look_at?.toISOString() ?? '');
      await billing.moveTo(looks.at(-1) ?? '');
      // Another cancellation wishes nothing new.
      if (looks.length === 8) answers.push((await cancel(member)).status);
    }
    expect(answers).toEqual([kind ? 503 : 403]);
    expect([looks[0], looks.at(-1)]).toEqual(['2026-06-15T12:01:00.000Z', '2026-06-16T12:00:00.000Z']);
    expect([tries(), (await report()).renewal_failing_since]).toEqual([told, '2026-06-15T12:00:00.000Z']);
    billing.stripe.failOn();
    // Support or the member ends it in a dashboard.
    billing.stripe.switchRenewal(subscription, false);
    await billing.deliver();
    expect(await report()).toMatchObject({ autorenew: false, renewal_failing_since: null });
  });

  it('asks Stripe about the subscription once', async () => {
    const subscription = await subscribed(35);
    const before = billing.stripe.calls.length;
    await switchRenewal(35, false).expect(200);
    const calls = billing.stripe.calls.slice(before);
    expect(calls.filter((call) => call === `GET subscriptions/${subscription}`)).toHaveLength(1);
    expect(await status(35)).toEqual(['active', false]);
  });

  it('is left to be done for every subscription, also if the first one fails', async () => {
    const page = await billing.page(5);
    const ids = [billing.stripe.complete(page), billing.stripe.complete(page)];
    for (const event of billing.stripe.events) await billing.deliver(event);
    billing.stripe.failWith('internal');
    await switchRenewal(5, false).expect(200);
    billing.stripe.failWith();
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect(ids.map(atStripe)).toEqual([
      ['active', true],
      ['active', true],
    ]);
  });

  it('is made up for when Stripe is back, also for a deleted or suspended member', async () => {
    const [own, suspended] = [await subscribed(3), await subscribed(4)];
    billing.stripe.failWith('away');
    expect((await cancel(3)).status).toBe(503);
    await switchRenewal(4, false).expect(200);
    billing.stripe.failWith();
    expect([atStripe(own), atStripe(suspended)]).toEqual([
      ['active', false],
      ['active', false],
    ]);
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect([atStripe(own), atStripe(suspended)]).toEqual([
      ['active', true],
      ['active', true],
    ]);
    // The wish is sent once: what the member does on the dashboard afterwards stands.
    billing.stripe.switchRenewal(own, true);
    await billing.deliver();
    await billing.moveTo('2026-06-17T12:00:00Z');
    expect(await status(3)).toEqual(['active', true]);
  });
});

describe('POST /packages/portal', () => {
  it('leads a buyer to the dashboard of Stripe, and from there to the client only', async () => {
    await subscribed(11);
    const { status: code, body } = await open(11);
    expect(code).toBe(200);
    expect(body).toEqual({ url: expect.stringMatching(/^https:\/\/billing\.stripe\.com\/p\/session\//) });
    for (const url of ['https://evil.test/', 'https://app.example@evil.test/', 'javascript:alert(1)'])
      expect(await open(11, url)).toMatchObject({ status: 403, body: { fail: 'Invalid Argument' } });
  });

  it('asks anyone who holds the phone or a token for the credentials first', async () => {
    await subscribed(12);
    expect((await open(12, undefined, { signedInAgo: 700 })).status).toBe(401);
    expect((await open(12, undefined, { signedInAgo: null })).status).toBe(401);
  });

  it('is refused to a member who never bought on the web', async () => {
    expect((await open(13)).body).toEqual({ fail: 'Purchase Not Possible' });
  });
});

describe('a subscription that support has planned changes of', () => {
  it('is not renewed against the wish, and is followed although Stripe refuses', async () => {
    const subscription = await subscribed(31);
    billing.stripe.schedule(subscription);
    expect((await billing.post('/packages/cancel', {}, { id: 31 })).body).toMatchObject({ autorenew: false });
    expect(atStripe(subscription)).toEqual(['active', true]);
    const other = await subscribed(32);
    billing.stripe.failOn('POST subscriptions');
    await switchRenewal(32, false).expect(200);
    billing.stripe.refund(other);
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.own(32)).membership_status).toBe('none');
    billing.stripe.failOn();
  });
});

describe('a key that may not read prices', () => {
  it('still reports subscriptions, also one with planned changes', async () => {
    billing.stripe.failOn('expand');
    const subscription = await billing.buy(36);
    billing.stripe.schedule(subscription);
    expect((await billing.deliver()).status).toBe(200);
    billing.stripe.failOn();
    expect(await status(36)).toEqual(['active', true]);
  });
});

describe('a member who is erased', () => {
  it('exports the customer, and then is no customer and pays nothing, also if Stripe was away', async () => {
    const subscription = await subscribed(7_000_021);
    const page = await billing.page(7_000_022);
    const { body } = await billing.internal('/internal/members/export', subject(7_000_021));
    expect(body.customers).toEqual([{ store: 'stripe', id: expect.stringMatching(/^cus_/) }]);
    billing.stripe.failWith('internal');
    await erase(7_000_021);
    await erase(7_000_022);
    await billing.settleCustomers();
    expect(atStripe(subscription)[0]).toBe('active');
    billing.stripe.failWith();
    await billing.settleCustomers();
    expect(atStripe(subscription)[0]).toBe('canceled');
    // Nobody can pay on the page that was open.
    expect(billing.stripe.pages.get(page)?.session.status).toBe('expired');
    expect(billing.stripe.customers.has(body.customers[0].id)).toBe(false);
    // One that Stripe does not have holds up nobody.
    const gone = { store: 'stripe', forget: true };
    await billing.context.connection.collection('customers').insertOne({ _id: 'cus_gone' as never, ...gone });
    await billing.settleCustomers();
    expect(await billing.context.connection.collection('customers').countDocuments(gone)).toBe(0);
    await billing.settleCustomers();
    await billing.deliver();
    const { account_token } = body;
    const of = [7_000_021, 7_000_022, account_token, body.customers[0].id];
    expect(await findTraces({ namespace: billing.namespace, of })).toEqual([]);
  });

  it('is no customer of before either, and nobody pays on a page that shows none', async () => {
    const stale = { signedInAgo: 700 };
    const first = await subscribed(7_000_024);
    billing.stripe.cancelNow(first);
    await billing.deliver();
    const second = await billing.buy(7_000_024, {}, stale);
    await billing.deliver();
    billing.stripe.cancelNow(second);
    await billing.deliver();
    const page = await billing.page(7_000_024, {}, stale);
    const { body } = await billing.internal('/internal/members/export', subject(7_000_024));
    const customers = body.customers.map(({ id }: { id: string }) => id);
    expect(customers).toHaveLength(2);
    await erase(7_000_024);
    // It is paid before the job closes it.
    const paid = billing.stripe.complete(page);
    await billing.settleCustomers();
    expect(atStripe(paid)[0]).toBe('canceled');
    for (const id of customers) expect(billing.stripe.customers.has(id)).toBe(false);
    const of = [7_000_024, body.account_token, ...customers];
    expect(await findTraces({ namespace: billing.namespace, of })).toEqual([]);
  });

  it('is no customer of a payment that failed either', async () => {
    const stale = { signedInAgo: 700 };
    const first = await subscribed(7_000_025);
    billing.stripe.cancelNow(first);
    await billing.deliver();
    const { size } = billing.stripe.customers;
    const page = await billing.page(7_000_025, {}, stale);
    billing.stripe.decline(page);
    await billing.deliver();
    // Another try makes no other customer, and another page does not forget this one.
    expect(await billing.page(7_000_025, {}, stale)).toBe(page);
    expect(billing.stripe.customers.size).toBe(size + 1);
    await billing.page(7_000_025, { package_id: 3, rate_id: 31 }, stale);
    const { body } = await billing.internal('/internal/members/export', subject(7_000_025));
    const customers = body.customers.map(({ id }: { id: string }) => id);
    expect(customers).toContain(billing.stripe.pages.get(page)?.session.customer);
    await erase(7_000_025);
    await billing.settleCustomers();
    for (const id of customers) expect(billing.stripe.customers.has(id)).toBe(false);
  });

  it('stays erased when the page is paid in that moment', async () => {
    const subscription = await billing.buy(7_000_023);
    await erase(7_000_023);
    await billing.deliver();
    await billing.settleCustomers();
    expect(atStripe(subscription)[0]).toBe('canceled');
    expect(await findTraces({ namespace: billing.namespace, of: [7_000_023] })).toEqual([]);
  });
});
