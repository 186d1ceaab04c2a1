import { startStripe } from '@covalence/fakes/stripe';
import { goTool, ToolAway } from '@covalence/testing/tools';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createStripe } from '../../../src/stores/stripe/stripe.ts';
import { createStripeApi } from '../../../src/stores/stripe/stripe-api.ts';

/**
 * stripe-mock, which checks requests by Stripe's own description of the API and answers with its samples. Without Go, or what it is
 * built from, its tests are skipped, which the output says.
 */
const path = await goTool({
  name: 'stripe-mock',
  pack: 'github.com/stripe/stripe-mock',
  version: 'v0.203.0',
}).catch((error: unknown) => {
  if (!(error instanceof ToolAway)) throw error;
  process.stderr.write(`NOT CHECKED: stripe-mock: ${error.message}\n`);
  return undefined;
});
const whereBuilt = path === undefined ? describe.skip : describe;

/** Starts it on a free port of this machine. */
async function startMock(program: string): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = spawn(program, ['-http-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /HTTP at address: .*:(\d+)$/.exec(line) ?? [];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, process: child };
  }
  throw new Error('stripe-mock did not start');
}

const clock = () => new Date('2026-06-15T12:00:00Z');

/** Fields that Stripe documents and its samples leave out, and what an event is about. */
const unsampled = /\.(pricing\.price_details|payment\.payment_intent|data\.object)$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that one object has and the other has not, by path; free-form ones and those that are null are left out. */
function unknownFields(own: unknown, sample: unknown, at = ''): string[] {
  if (Array.isArray(own) && Array.isArray(sample)) {
    const [first]: unknown[] = sample;
    return own.flatMap((one) => (first === undefined ? [] : unknownFields(one, first, `${at}[]`)));
  }
  if (!isObject(own) || !isObject(sample)) return [];
  return Object.entries(own).flatMap(([name, value]) => {
    const path = `${at}.${name}`;
    if (name === 'metadata' || unsampled.test(path)) return [];
    return name in sample ? unknownFields(value, sample[name], path) : [path];
  });
}

whereBuilt('stripe-mock', () => {
  let mock: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    mock = await startMock(path ?? '');
  });
  afterAll(async () => {
    mock.process.kill();
    await once(mock.process, 'exit');
  });

  it('takes every request of the service, and its answers are read', async () => {
    const options = {
      secretKey: 'sk_test_123',
      webhookSecrets: [],
      portalConfiguration: 'bpc_1',
      apiUrl: mock.url,
    };
    const [{ web, ...stripe }, api] = [createStripe(options), createStripeApi(options)];
    const taxed = createStripe({ ...options, automaticTax: true }).web;
    if (!web) throw new Error('Stripe does not sell on the web');
    const order = {
      customer: await web.createCustomer('token'),
      account: 'token',
      product: 'prod_1',
      amount: 2_999,
      currency: 'USD',
      days: 30,
      success_url: 'https://app.example/paid',
      cancel_url: 'https://app.example/packages',
    };
    const page = await web.startCheckout({ ...order, begins: new Date(Date.now() + 10 * 86_400_000) });
    expect(page).toMatchObject({ status: 'open', url: expect.stringContaining('https://') });
    expect(await web.startCheckout({ ...order, offer: 'WELCOME' })).toMatchObject({ status: 'open' });
    const { customer: _customer, ...anonymous } = order;
    for (const shop of [web, taxed])
      expect([await shop?.startCheckout(order), await shop?.startCheckout(anonymous)]).toMatchObject([
        { status: 'open' },
        { status: 'open' },
      ]);
    expect(await api.isTaxSetUp()).toBe(true);
    expect(await web.checkout(page?.id ?? '')).toMatchObject({ status: 'open' });
    await web.closeCheckout(page?.id ?? '');
    expect(await web.portal('cus_1', 'https://app.example/')).toContain('https://');
    for (const autorenew of [true, false]) await web.switchRenewal('sub_1', autorenew);
    const state = await stripe.ask('sub_1');
    expect(state).toMatchObject({ app: 'stripe', currency: 'USD' });
    await stripe.finish?.('sub_1', 'prod_1');
    expect(await api.subscriptionOf('pi_1')).toBe('subscription');
    for (const missed of stripe.missed(new Date(), new Date())) for await (const _ of missed) continue;
    // Its sample of a page is open, also after it was closed.
    await expect(web.forget('cus_1', page?.id)).rejects.toMatchObject({
      cause: { message: 'a payment page is in use' },
    });
  });

  it('has every field that the fake answers with', async () => {
    const fake = await startStripe(clock, ['prod_1']);
    const options = { secretKey: fake.secretKey, webhookSecrets: [], apiUrl: fake.url, clock };
    const { web } = createStripe(options);
    const customer = (await web?.createCustomer('token')) ?? '';
    const urls = { success_url: 'https://app.example/', cancel_url: 'https://app.example/' };
    const order = { customer, account: 'token', product: 'prod_1', amount: 1, currency: 'USD', days: 30 };
    const page = await web?.startCheckout({ ...order, ...urls });
    const subscription = fake.complete(page?.id ?? '');
    fake.refund(subscription, 1);
    fake.dispute(subscription);
    const get = async (url: string, path: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${fake.secretKey}` };
      return (await fetch(`${url}/v1/${path}`, { headers })).json();
    };
    const paths = [
      `subscriptions/${subscription}`,
      `subscriptions/${subscription}?expand[]=schedule.phases.items.price`,
      'tax/settings',
      `checkout/sessions/${page?.id}`,
      `checkout/sessions?customer=${customer}`,
      `invoices?subscription=${subscription}&expand[]=data.payments`,
      `charges?customer=${customer}&expand[]=data.refunds`,
      'disputes?charge=ch_1',
      'invoice_payments?payment[type]=payment_intent&payment[payment_intent]=pi_1',
      'events?types[]=charge.refunded',
    ];
    const unknown = await Promise.all(
      paths.map(async (one) => unknownFields(await get(fake.url, one), await get(mock.url, one), one)),
    );
    await fake.close();
    expect(unknown.flat()).toEqual([]);
  });
});
