import { listenLocally } from '@covalence/testing/listen-locally';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createStripeBook } from './stripe-book.ts';
import { buyer, failure, forbidden, listOf, missing, refused, type StripeEvent } from './stripe-objects.ts';

export type { StripeEvent } from './stripe-objects.ts';

type Answer = readonly [number, object];

const api = (status: number, message: string): Answer => failure(status, { message, type: 'api_error' });

/** Responses of Stripe that execute nothing. */
const faults = {
  rate: failure(429, {
    code: 'rate_limit',
    message: 'Request rate limit exceeded.',
    type: 'invalid_request_error',
  }),
  lock: failure(429, {
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now because another API request is using it.',
    type: 'invalid_request_error',
  }),
  busy: failure(409, {
    code: 'idempotency_key_in_use',
    message: 'There is currently another in-progress request using this Idempotent Key.',
    type: 'idempotency_error',
  }),
  permission: forbidden(),
  internal: api(500, 'An unknown error occurred.'),
  card: failure(402, {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: `The card of ${buyer.email} was declined.`,
    payment_method: { id: 'pm_1', object: 'payment_method', billing_details: buyer, card: { last4: '4242' } },
    type: 'card_error',
  }),
} as const;

const list = (data: readonly object[], path: string): Answer => [200, listOf(data, `/v1/${path}`)];

/** Faults of Stripe; `away` closes connections, `slow` never responds, `lost` executes the request and closes the connection. */
export type StripeFault = keyof typeof faults | 'away' | 'slow' | 'lost';

/** Metadata, or the parameters under a name. */
const under = (form: URLSearchParams, name: string): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([key, value]) => {
      const [, field] = key.startsWith(`${name}[`)
        ? (/^\[([^\]]+)\]$/.exec(key.slice(name.length)) ?? [])
        : [];
      return field === undefined ? [] : [[field, value]];
    }),
  );

/**
 * Starts Stripe on loopback: an account whose customers a test drives, and the calls of the API that are used, with the answers and
 * errors of its documentation and its idempotency keys. Events are collected and listed, not sent.
 */
export async function startStripe(clock: () => Date, sold: readonly string[]) {
  const secretKey = 'sk_test_51Nx0000000000000000000000';
  const webhookSecret = 'whsec_cJ1n2M3b4V5c6X7z8L9k0J1h2G3f4D5s';
  const book = createStripeBook(clock);
  const answered = new Map<string, { readonly of: string; readonly answer: Answer }>();
  const delivered = new Set<string>();
  const calls: string[] = [];
  const inUse = new Set<string>();
  const tax: { status: 'active' | 'pending' } = { status: 'active' };
  let failing: { readonly call: string; readonly kind: keyof typeof faults | undefined } | undefined;
  let fault: { readonly kind: StripeFault; left: number } | undefined;

  const createCheckout = (form: URLSearchParams): Answer => {
    const customer = form.get('customer');
    if (customer !== null && !book.customers.has(customer)) return missing('customer', customer, 'customer');
    const price = (name: string) => form.get(`line_items[0][price_data]${name}`) ?? '';
    const days = Number(price('[recurring][interval_count]'));
    if (!sold.includes(price('[product]')))
      return missing('product', price('[product]'), 'line_items[0][price_data][product]');
    if (price('[recurring][interval]') !== 'day' || days < 1 || days > 1_095)
      return refused('The maximum number of days is 1095.');
    const product = {
      id: price('[product]'),
      amount: Number(price('[unit_amount]')),
      currency: price('[currency]'),
      days,
    };
    const [coupon, trial] = [form.get('discounts[0][coupon]'), form.get('subscription_data[trial_end]')];
    if (coupon !== null && form.has('allow_promotion_codes'))
      return refused('You may only specify one of these parameters: allow_promotion_codes, discounts.');
    if (trial !== null && Number(trial) < book.now() + 48 * 3_600)
      return refused('The `trial_end` date has to be at least 2 days in the future.');
    const isTaxed = form.get('automatic_tax[enabled]') === 'true';
    if (isTaxed && tax.status !== 'active')
      return refused('You must have a valid origin address to enable automatic tax calculation.');
    if (isTaxed && customer !== null && form.get('customer_update[address]') !== 'auto')
      return refused('Automatic tax calculation in Checkout requires a valid address on the Customer.');
    if (isTaxed && price('[tax_behavior]') !== 'inclusive')
      return refused('The price needs a `tax_behavior`.');
    if (customer === null && form.has('customer_update[address]'))
      return refused('`customer_update` can only be used with `customer`.');
    const lives = Number(form.get('expires_at') ?? book.now() + 86_400) - book.now();
    if (lives < 1_800 || lives > 86_400)
      return refused(
        'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      );
    const id = book.newId('cs_test');
    const session = {
      id,
      object: 'checkout.session',
      allow_promotion_codes: form.get('allow_promotion_codes') === 'true' ? true : null,
      automatic_tax: { enabled: isTaxed, liability: null, provider: null, status: null },
      amount_total: trial === null ? product.amount : 0,
      cancel_url: form.get('cancel_url'),
      client_reference_id: form.get('client_reference_id'),
      created: book.now(),
      currency: product.currency,
      customer,
      expires_at: book.now() + lives,
      livemode: false,
      metadata: {},
      mode: form.get('mode'),
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: form.get('success_url'),
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    const metadata = under(form, 'subscription_data[metadata]');
    book.pages.set(id, {
      session,
      product,
      metadata,
      coupon,
      trialEnd: trial === null ? undefined : Number(trial),
    });
    return [200, session];
  };

  const expire = (id: string): Answer => {
    const page = book.pages.get(id);
    if (!page) return missing('checkout.session', id, 'session');
    if (page.session.status !== 'open')
      return refused('Only Checkout Sessions with a status in ["open"] can be expired.');
    if (inUse.has(id))
      return refused('This Checkout Session has a payment in progress and cannot be expired now.');
    Object.assign(page.session, { status: 'expired', url: null });
    book.emit('checkout.session.expired', page.session);
    return [200, page.session];
  };

  const openPortal = (form: URLSearchParams): Answer => {
    const customer = form.get('customer') ?? '';
    if (!book.customers.has(customer)) return missing('customer', customer, 'customer');
    const id = book.newId('bps');
    const url = `https://billing.stripe.com/p/session/${id}`;
    const return_url = form.get('return_url');
    return [200, { id, object: 'billing_portal.session', customer, return_url, url, livemode: false }];
  };

  const events = (form: URLSearchParams): Answer => {
    const types = new Set([...form].flatMap(([key, value]) => (key.startsWith('types') ? value : [])));
    const since = Number(form.get('created[gte]'));
    const found = book.events.filter(
      ({ id, type, created }) => types.has(type) && created >= since && !delivered.has(id),
    );
    return [200, listOf(found.toReversed(), '/v1/events')];
  };

  /** A customer of a test, or a new one. */
  const createCustomer = (form: URLSearchParams): Answer => [
    200,
    book.customers.get(book.createCustomer({ metadata: under(form, 'metadata') })) ?? {},
  ];
  const deleteCustomer = (id: string): Answer => {
    if (!book.customers.has(id)) return missing('customer', id);
    book.forget(id);
    return [200, { id, object: 'customer', deleted: true }];
  };

  const changeSubscription = (method: string, id: string, form: URLSearchParams): Answer => {
    const subscription = book.subscriptions.get(id);
    const isCanceled = subscription?.status === 'canceled';
    if (!subscription || (method === 'DELETE' && isCanceled)) return missing('subscription', id);
    if (method === 'DELETE') book.acts.cancelNow(id);
    if (method === 'POST' && subscription.schedule !== null)
      return refused(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed.`,
      );
    const off = form.get('cancel_at_period_end');
    if (method === 'POST' && isCanceled)
      return refused('A canceled subscription can only update its metadata.');
    if (method === 'POST' && off !== null) {
      Object.assign(subscription, { cancel_at_period_end: off === 'true' });
      book.emit('customer.subscription.updated', subscription);
    }
    if (method === 'POST' && form.get('cancel_at') === '') book.acts.switchRenewal(id, true);
    const isExpanded = form.getAll('expand[0]').includes('schedule.phases.items.price');
    if (isExpanded && failing?.call === 'expand') return forbidden();
    const schedule = isExpanded
      ? (book.schedules.get(subscription.schedule ?? '') ?? null)
      : subscription.schedule;
    return [200, { ...subscription, schedule }];
  };

  const answer = (method: string, path: string, form: URLSearchParams): Answer => {
    const [kind = '', id = '', act = ''] = path.replace('checkout/', 'checkout.').split('/');
    const given = (name: string) => form.get(name) ?? '';
    const page = book.pages.get(id)?.session;
    const table: Readonly<Record<string, () => Answer>> = {
      'POST subscription_schedules': () => {
        const planned = [...book.subscriptions.values()].find(({ schedule }) => schedule === id);
        if (!planned || act !== 'release') return missing('subscription schedule', id);
        planned.schedule = null;
        return [200, { id, object: 'subscription_schedule', status: 'released' }];
      },
      'GET products': () =>
        sold.includes(id) ? [200, { id, object: 'product', active: true }] : missing('product', id),
      'GET coupons': () =>
        id === 'welcome' ? [200, { id, object: 'coupon', valid: true }] : missing('coupon', id, 'coupon'),
      'POST customers': () => createCustomer(form),
      'DELETE customers': () => deleteCustomer(id),
      'POST checkout.sessions': () => (act === 'expire' ? expire(id) : createCheckout(form)),
      'GET checkout.sessions': () =>
        id
          ? page
            ? [200, page]
            : missing('checkout.session', id)
          : book.customers.has(given('customer'))
            ? list(openPages(given('customer')), path)
            : missing('customer', given('customer'), 'customer'),
      'GET tax': () => [200, { object: 'tax.settings', livemode: false, status: tax.status }],
      'POST billing_portal': () => openPortal(form),
      'GET subscriptions': () => changeSubscription(method, id, form),
      'POST subscriptions': () => changeSubscription(method, id, form),
      'DELETE subscriptions': () => changeSubscription(method, id, form),
      'GET invoices': () => list(book.invoicesOf(given('subscription')), path),
      'GET charges': () => list(book.chargesOf(given('customer')), path),
      'GET disputes': () => list(book.disputesOf(given('charge')), path),
      'GET invoice_payments': () => list(book.paymentsBy(given('payment[payment_intent]')), path),
      'GET events': () => events(form),
    };
    const message = `Unrecognized request URL (${method}: /v1/${path}).`;
    if (failing?.call === `${method} ${kind}`)
      return failing.kind ? faults[failing.kind] : refused('This is not allowed.');
    return table[`${method} ${kind}`]?.() ?? failure(404, { message, type: 'invalid_request_error' });
  };
  const openPages = (customer: string) =>
    [...book.pages.values()]
      .map(({ session }) => session)
      .filter((one) => one.status === 'open' && one['customer'] === customer);

  /** A repeated key gets the first answer, an error of Stripe's too; with other parameters an error. */
  const once24h = (key: string | undefined, of: string, work: () => Answer): Answer => {
    if (key === undefined) return work();
    const before = answered.get(key);
    if (before && before.of !== of)
      return failure(400, {
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        type: 'idempotency_error',
      });
    const given = before?.answer ?? structuredClone(work());
    // A request refused before any work is not kept.
    if (given[0] !== 429 && given[0] !== 409) answered.set(key, { of, answer: given });
    return given;
  };

  /** The fault of this request. */
  const faultNow = (): StripeFault | undefined => {
    if (!fault?.left) return undefined;
    fault.left -= 1;
    return fault.kind;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://fake');
    const form = method === 'GET' ? url.searchParams : new URLSearchParams(await text(request));
    const path = url.pathname.replace('/v1/', '');
    calls.push(`${method} ${path}`);
    const now = faultNow();
    if (now === 'away') return void request.socket.destroy();
    if (now === 'slow') return undefined;
    const work = () => answer(method, path, form);
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    const isKnown = headers.authorization === `Bearer ${secretKey}`;
    const [status, body] = !isKnown
      ? failure(401, { message: 'Invalid API Key provided: sk_test_****', type: 'invalid_request_error' })
      : once24h(typeof key === 'string' ? key : undefined, `${path}?${form.toString()}`, () =>
          now && now !== 'lost' ? faults[now] : work(),
        );
    if (now === 'lost') return void request.socket.destroy();
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': book.newId('req') })
      .end(JSON.stringify(body, null, 2));
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listenLocally(server);

  return {
    ...book.acts,
    url: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    /** Every event so far, oldest first. */
    events: book.events,
    /** The pages that are not closed now, because a payment is in progress. */
    inUse,
    /** The settings of Stripe Tax. */
    tax,
    /** Every request so far, as method and path. */
    calls,
    subscriptions: book.subscriptions,
    customers: book.customers,
    pages: book.pages,
    emit: book.emit,
    /** The operator deletes a customer in the dashboard. */
    forget: (customer: string) => book.forget(customer),
    /** A day has passed, and nobody has paid on a page. */
    expire,
    /** The request that Stripe posts, byte for byte: the body, and the signature of it; `options` replaces some of it. */
    posted(event: StripeEvent | undefined, { secret = webhookSecret, at = clock() } = {}) {
      const body = JSON.stringify(event ?? {}, null, 2);
      const time = Math.floor(at.getTime() / 1_000);
      const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
      return { body, signature: `t=${time},v1=${signature},v0=${'0'.repeat(64)}` };
    },
    /** Says that an event arrived. */
    confirm: (event: StripeEvent) => void delivered.add(event.id),
    /** Refuses every call of a kind, such as `POST subscriptions` or `expand`, or fails at it; none without one. */
    failOn(call?: string, kind?: keyof typeof faults): void {
      failing = call === undefined ? undefined : { call, kind };
    },
    /** Answers the next requests so; none ends it. */
    failWith(kind?: StripeFault, left = Infinity) {
      fault = kind && { kind, left };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A running fake. */
export type StripeAccount = Awaited<ReturnType<typeof startStripe>>;
