import { randomBytes } from 'node:crypto';
import {
  buyer,
  chargeObject,
  customerObject,
  disputeObject,
  invoiceObject,
  itemObject,
  lineObject,
  listOf,
  paymentObject,
  priceObject,
  scheduleObject,
  subscriptionObject,
  type Page,
  type StripeEvent,
  type StripeObject,
  type StripeProduct,
  type StripeSubscription,
} from './stripe-objects.ts';

const daySeconds = 86_400;

interface Charge extends ReturnType<typeof chargeObject> {
  refunds: StripeObject[];
  invoice: string;
}

/** The product of a subscription in its current period. */
interface Period {
  product: StripeProduct;
  start: number;
  end: number;
}

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

const known = <One>(all: ReadonlyMap<string, One>, id: string): One => {
  const found = all.get(id);
  if (!found) throw new Error(`Stripe has no ${id}`);
  return found;
};

/** Creates the account: customers, subscriptions, invoices, payments and events, which a test drives. */
export function createStripeBook(clock: () => Date) {
  const subscriptions = new Map<string, StripeSubscription>();
  const periods = new Map<string, Period>();
  const invoices = new Map<string, ReturnType<typeof invoiceObject>>();
  const charges = new Map<string, Charge>();
  const disputes = new Map<string, ReturnType<typeof disputeObject>>();
  const customers = new Map<string, StripeObject>();
  const pages = new Map<string, Page>();
  const schedules = new Map<string, ReturnType<typeof scheduleObject>>();
  const events: StripeEvent[] = [];
  const now = () => Math.floor(clock().getTime() / 1_000);

  const emit = (type: string, object: object): void => {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: now(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    events.push(event);
  };
  const sub = (id: string) => known(subscriptions, id);
  const period = (id: string) => known(periods, id);

  const setPeriod = (id: string, next: Period): void => {
    periods.set(id, next);
    const { product, start, end } = next;
    sub(id).items = listOf(
      [itemObject(id, product, start, end)],
      `/v1/subscription_items?subscription=${id}`,
    );
  };

  /** Writes an invoice; `pay` charges the card for it. */
  const invoice = (
    id: string,
    billing_reason: string,
    lines: readonly { readonly amount: number }[],
  ): string => {
    const total = lines.reduce((all, { amount }) => all + amount, 0);
    const name = newId('in');
    invoices.set(
      name,
      invoiceObject(name, { subscription: sub(id), created: now(), total, billing_reason, lines }),
    );
    sub(id).latest_invoice = name;
    return name;
  };
  const setStatus = (id: string, status: string, type = 'customer.subscription.updated'): void => {
    sub(id).status = status;
    emit(type, sub(id));
  };
  const charge = (name: string, status: 'succeeded' | 'pending'): void => {
    const { amount_due: amount, currency, customer } = known(invoices, name);
    const id = [...charges.values()].find((one) => one.invoice === name)?.id ?? newId('ch');
    const object = chargeObject(id, { amount, created: now(), currency, customer });
    charges.set(id, { ...object, status, paid: status === 'succeeded', refunds: [], invoice: name });
  };
  const pay = (name: string): void => {
    const one = known(invoices, name);
    Object.assign(one, {
      status: 'paid',
      amount_paid: one.amount_due,
      status_transitions: { ...one.status_transitions, paid_at: now() },
    });
    if (one.amount_due) charge(name, 'succeeded');
    emit('invoice.paid', one);
  };
  const latestOf = (id: string) => String(sub(id).latest_invoice);
  const chargeOf = (id: string): Charge => {
    const found = [...charges.values()].findLast(({ invoice: of }) => subscriptionOf(of) === id);
    if (!found) throw new Error(`nothing was paid for ${id}`);
    return found;
  };
  const subscriptionOf = (name: string) => known(invoices, name).parent.subscription_details.subscription;
  const chargeObjectOf = ({ refunds, invoice: _invoice, ...charge }: Charge, isExpanded = false) => ({
    ...charge,
    ...(isExpanded && { refunds: listOf(refunds, `/v1/charges/${charge.id}/refunds`) }),
  });

  /** The next period begins, with its invoice. */
  const beginPeriod = (id: string): string => {
    const { product, end } = period(id);
    const start = Math.max(end, now());
    setPeriod(id, { product, start, end: start + product.days * daySeconds });
    return invoice(id, 'subscription_cycle', [
      lineObject(id, product, product.amount, start, period(id).end),
    ]);
  };
  const end = (id: string, at = now()): void => {
    Object.assign(sub(id), { ended_at: at, canceled_at: at });
    setStatus(id, 'canceled', 'customer.subscription.deleted');
  };
  const isOver = (id: string) => ['canceled', 'incomplete_expired'].includes(sub(id).status);

  const giveBack = (charge: Charge, amount?: number): void => {
    const part = Math.min(amount ?? charge.amount, charge.amount - charge.amount_refunded);
    if (!part) return;
    const refund = { id: newId('re'), object: 'refund', amount: part, charge: charge.id, created: now() };
    charge.refunds.push({ ...refund, status: 'succeeded', payment_intent: charge.payment_intent });
    charge.amount_refunded += part;
    charge.refunded = charge.amount_refunded === charge.amount;
    emit('charge.refunded', chargeObjectOf(charge));
  };

  const createCustomer = (facts: object): string => {
    const id = newId('cus');
    customers.set(id, customerObject(id, now(), facts));
    return id;
  };
  /** A subscription begins with what is bought on a page, for its customer or a new one. */
  const begin = ({ session, product, metadata }: Page, trialEnd: number | undefined, status?: string) => {
    const id = newId('sub');
    const start = now();
    const customer = (session.customer ??= createCustomer({ email: buyer.email, name: buyer.name }));
    const facts = { customer, currency: product.currency, start, metadata, trialEnd };
    subscriptions.set(id, { ...subscriptionObject(id, facts), ...(status !== undefined && { status }) });
    setPeriod(id, { product, start, end: trialEnd ?? start + product.days * daySeconds });
    const due = trialEnd === undefined ? product.amount : 0;
    const first = invoice(id, 'subscription_create', [lineObject(id, product, due, start, period(id).end)]);
    emit('customer.subscription.created', sub(id));
    return { id, first };
  };

  const acts = {
    /** A customer fills in the page: by card, or by a bank transfer that takes days. */
    complete(page: string, isByBank = false): string {
      const { session, trialEnd } = known(pages, page);
      const { id, first } = begin(known(pages, page), trialEnd);
      if (!isByBank) pay(first);
      Object.assign(session, {
        status: 'complete',
        url: null,
        subscription: id,
        payment_status: isByBank ? 'unpaid' : 'paid',
        customer_details: buyer,
      });
      emit('checkout.session.completed', session);
      return id;
    },
    /** The same by a debit that a bank has been asked for, before which nothing is active. */
    debit(page: string): string {
      const id = acts.complete(page, true);
      sub(id).status = 'incomplete';
      charge(latestOf(id), 'pending');
      return id;
    },
    /** The card of the first payment is declined: the page stays open. */
    decline(page: string): string {
      const { id, first } = begin(known(pages, page), undefined, 'incomplete');
      known(pages, page).session.subscription = id;
      emit('invoice.payment_failed', known(invoices, first));
      return id;
    },
    /** The bank transfer of the first payment arrives, or does not. */
    bank(id: string, isPaid: boolean): void {
      const { session } = [...pages.values()].find((page) => page.session.subscription === id) ?? {};
      if (isPaid) pay(latestOf(id));
      setStatus(id, isPaid ? 'active' : 'past_due');
      if (isPaid) Object.assign(session ?? {}, { payment_status: 'paid' });
      emit(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session ?? {});
    },
    /** The end of the period has come: the next one is paid, or renewal was off. */
    renew(id: string): void {
      if (isOver(id)) return;
      const ends = period(id).end;
      if (sub(id).cancel_at_period_end || (sub(id).cancel_at ?? Infinity) <= ends) return end(id, ends);
      const isDue = known(invoices, latestOf(id)).status === 'open';
      pay(isDue ? latestOf(id) : beginPeriod(id));
      setStatus(id, 'active');
    },
    /** The card is declined: Stripe tries again for some weeks. */
    failRenewal(id: string): void {
      if (isOver(id) || sub(id).status === 'past_due') return;
      const name = beginPeriod(id);
      emit('invoice.payment_failed', known(invoices, name));
      setStatus(id, 'past_due');
    },
    /** Nothing is tried any more, and the subscription stays. */
    giveUp(id: string): void {
      if (!isOver(id) && known(invoices, latestOf(id)).status === 'open') setStatus(id, 'unpaid');
    },
    /** Another product from now on: the difference is charged at once. */
    change(id: string, product: StripeProduct): void {
      if (isOver(id) || sub(id).status !== 'active') return;
      const { product: old, start, end: ends } = period(id);
      const share = Math.max(0, ends - now()) / (ends - start);
      setPeriod(id, { product, start: now(), end: now() + product.days * daySeconds });
      const lines = [
        lineObject(id, old, -Math.round(old.amount * share), now(), ends),
        lineObject(id, product, product.amount, now(), period(id).end),
      ];
      pay(invoice(id, 'subscription_update', lines));
      emit('customer.subscription.updated', sub(id));
    },
    /** The portal switches renewal, by a time. */
    switchRenewal(id: string, isOn: boolean): void {
      if (isOver(id)) return;
      const cancel_at = isOn ? null : period(id).end;
      Object.assign(sub(id), { cancel_at, cancel_at_period_end: false, canceled_at: isOn ? null : now() });
      emit('customer.subscription.updated', sub(id));
    },
    /** Support lets it end at a time. */
    cancelAt(id: string, at: string): void {
      sub(id).cancel_at = Date.parse(at) / 1_000;
      emit('customer.subscription.updated', sub(id));
    },
    /** Support puts the next payment off, by days that cost nothing. */
    extendTrial(id: string, days: number): void {
      const { end: ends, ...rest } = period(id);
      const trial_end = ends + days * daySeconds;
      setPeriod(id, { ...rest, end: trial_end });
      Object.assign(sub(id), { trial_end });
      setStatus(id, 'trialing');
    },
    /** The portal, or support, plans a change for the next period, and from now on decides about cancellations too. */
    schedule(id: string, next: StripeProduct = period(id).product): void {
      const schedule = newId('sub_sched');
      schedules.set(schedule, scheduleObject(schedule, period(id), next));
      sub(id).schedule = schedule;
      emit('customer.subscription.updated', sub(id));
    },
    /** A change waits until it is paid. */
    await(id: string, next: StripeProduct): void {
      sub(id).pending_update = { subscription_items: [{ price: priceObject(next), quantity: 1 }] };
      emit('customer.subscription.updated', sub(id));
    },
    cancelNow(id: string): void {
      if (!isOver(id)) end(id);
    },
    pause(id: string, isPaused = true): void {
      sub(id).pause_collection = isPaused ? { behavior: 'void', resumes_at: null } : null;
      emit('customer.subscription.updated', sub(id));
    },
    /** A small difference is charged for the time that is paid for. */
    prorate(id: string, amount: number): void {
      const { product, end: ends } = period(id);
      pay(invoice(id, 'subscription_update', [lineObject(id, product, amount, now(), ends)]));
      emit('customer.subscription.updated', sub(id));
    },
    /** Gives the first payment back. */
    refundFirst(id: string): void {
      const first = [...charges.values()].find(({ invoice: of }) => subscriptionOf(of) === id);
      if (first) giveBack(first);
    },
    /** Gives the last payment back, or some of it. */
    refund(id: string, amount?: number): void {
      giveBack(chargeOf(id), amount);
    },
    /** The buyer reports to the bank that the last payment was not theirs; what comes of it later. */
    dispute(id: string, status: 'needs_response' | 'won' | 'lost' = 'needs_response'): void {
      const charge = chargeOf(id);
      const open = [...disputes.values()].find((one) => one.charge === charge.id);
      if (!open && status !== 'needs_response') return;
      const dispute = open ?? disputeObject(newId('dp'), charge, now());
      dispute.status = status;
      disputes.set(dispute.id, dispute);
      charge.disputed = true;
      emit(`charge.dispute.${open ? 'closed' : 'created'}`, dispute);
    },
  };

  return {
    acts,
    events,
    customers,
    createCustomer,
    pages,
    schedules,
    subscriptions,
    newId,
    now,
    emit,
    invoicesOf: (id: string) =>
      [...invoices.values()]
        .filter(({ id: name }) => subscriptionOf(name) === id)
        .map((one) => ({ ...one, payments: listOf(paymentsOf(one.id), '/v1/invoice_payments') })),
    chargesOf: (customer: string) =>
      [...charges.values()]
        .filter((one) => one.customer === customer)
        .map((one) => chargeObjectOf(one, true)),
    disputesOf: (charge: string) => [...disputes.values()].filter((one) => one.charge === charge),
    /** The payments of an invoice, found by the payment. */
    paymentsBy(intent: string) {
      const charge = [...charges.values()].find(({ payment_intent }) => payment_intent === intent);
      return charge
        ? paymentsOf(charge.invoice).map((one) => ({ ...one, invoice: invoices.get(charge.invoice) }))
        : [];
    },
    forget(customer: string): void {
      customers.delete(customer);
      for (const one of subscriptions.values()) if (one.customer === customer) acts.cancelNow(one.id);
    },
  };

  function paymentsOf(name: string) {
    return [...charges.values()]
      .filter(({ invoice: of }) => of === name)
      .map((one) => paymentObject(one, name));
  }
}
