import { z } from 'zod';

const id = z.string().min(1).max(255);

/** Schemas that find the subscription in an event's object. A payment's is known to the invoice that it paid. */
const subjects = {
  subscription: z.object({ id }).transform((object) => ({ subscription: object.id })),
  session: z
    .object({ subscription: id.nullish() })
    .transform(({ subscription }) => ({ subscription: subscription ?? undefined })),
  invoice: z
    .object({
      parent: z.object({ subscription_details: z.object({ subscription: id }).nullish() }).nullish(),
    })
    .transform(({ parent }) => ({ subscription: parent?.subscription_details?.subscription })),
  payment: z
    .object({ payment_intent: id.nullish() })
    .transform(({ payment_intent }) => ({ payment: payment_intent ?? undefined })),
} as const;

/**
 * The events that are asked for, at most 20 in a list, by what they name. Each has the same effect: Stripe is asked about the
 * subscription. Any other event changes nothing.
 */
const eventSubjects = {
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'customer.subscription.paused': 'subscription',
  'customer.subscription.resumed': 'subscription',
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'invoice.voided': 'invoice',
  'invoice.marked_uncollectible': 'invoice',
  'charge.refunded': 'payment',
  'refund.updated': 'payment',
  'refund.failed': 'payment',
  'charge.dispute.created': 'payment',
  'charge.dispute.closed': 'payment',
  'charge.dispute.funds_withdrawn': 'payment',
  'charge.dispute.funds_reinstated': 'payment',
} as const satisfies Readonly<Record<string, keyof typeof subjects>>;

/** The types of the events that are asked for. */
export const eventTypes = Object.keys(eventSubjects) as (keyof typeof eventSubjects)[];

/** The subject of an event: a subscription, a payment, or neither. */
export interface EventSubject {
  readonly subscription?: string | undefined;
  readonly payment?: string | undefined;
}

/** Reads the subject of an event. Throws a ZodError for an event that differs from Stripe's documentation. */
export function subjectOf({
  type,
  object,
}: {
  readonly type: string;
  readonly object: unknown;
}): EventSubject {
  const kind = (eventSubjects as Partial<Record<string, keyof typeof subjects>>)[type];
  return kind ? subjects[kind].parse(object) : {};
}
