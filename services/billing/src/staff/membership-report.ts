import { Failure } from '@covalence/contract/failure';
import { endpoint, type StaffRule } from '@covalence/http/endpoint';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import { ledgerKinds, lineOf, type LedgerEntry } from '../ledger/ledger-store.ts';
import type { Membership } from '../memberships/membership.ts';
import type { Payment } from '../payments/payment-store.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { phases } from '../stores/store.ts';

const date = z.iso.datetime();

const ledgerLine = z.object({
  id: z.string().meta({ examples: ['1002:purchase:1'] }),
  kind: z.enum(ledgerKinds),
  /** Minor units. */
  amount: z.int().meta({ examples: [2999] }),
  currency: z.string().meta({ examples: ['USD'] }),
  at: date,
  package_id: z.int(),
  rate_id: z.int(),
  payment: z.string().optional(),
  provider: z.string().optional(),
  reference: z.string().optional(),
  promo_code: z.string().optional(),
  staff: z.string().optional(),
  reason: z.string().optional(),
  approved_by: z.string().optional().meta({ description: 'The second person, if one approved it.' }),
  expires_at: date.optional(),
  autorenew: z.boolean().optional(),
});

/** A pending payment; webhooks name it by the same key. */
const pendingPayment = z.object({
  payment: z.string(),
  kind: z.enum(['purchase', 'renewal']),
  /** Minor units. */
  amount: z.int().meta({ examples: [2999] }),
  currency: z.string().meta({ examples: ['USD'] }),
  at: date,
  package_id: z.int(),
  rate_id: z.int(),
});

/** The numeric member id in the path. */
export const memberInPath = z.coerce
  .number()
  .int()
  .positive()
  .meta({ description: 'Numeric id of the member.' });

/** A membership with its payments, refunds and corrections, in minor units. */
export const membershipReport = membershipView
  .extend({
    member: z.int().meta({ examples: [1002] }),
    package_id: z
      .int()
      .nullable()
      .meta({ examples: [1] }),
    rate_id: z
      .int()
      .nullable()
      .meta({ examples: [101] }),
    started_at: date.nullable().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
    renewal_failed_at: date.nullable(),
    ledger: z.array(ledgerLine),
    pending: z.array(pendingPayment).meta({ examples: [[]] }),
    subscriptions: z.array(
      z.object({
        store: z.string().meta({ examples: ['app_store'] }),
        phase: z.enum(phases),
        package_id: z.int(),
        rate_id: z.int(),
        expires_at: date,
        autorenew: z.boolean(),
        renewal_failing_since: date.nullable().meta({
          description:
            'Time since which the store has failed to switch renewal as requested, or as another store’s subscription requires.',
        }),
      }),
    ),
    /** Total paid by the member, by currency. */
    balance: z.record(z.string(), z.int()).meta({ examples: [{ USD: 2999 }] }),
  })
  .meta({ id: 'MembershipReport' });

const balanceOf = (entries: readonly LedgerEntry[]): Record<string, number> => {
  const sums = new Map<string, number>();
  for (const { currency, amount } of entries) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return Object.fromEntries(sums);
};

const pendingOf = (payments: readonly Payment[]) =>
  payments
    .filter(({ state }) => state === 'open')
    .map(({ key, kind, amount, currency, at, package_id, rate_id }) => ({
      payment: key,
      kind,
      amount,
      currency,
      at: at.toISOString(),
      package_id,
      rate_id,
    }));

const detailsOf = (membership: Membership | undefined) => ({
  package_id: membership?.package_id ?? null,
  rate_id: membership?.rate_id ?? null,
  started_at: isoOrNull(membership?.started_at),
  renewal_failed_at: isoOrNull(membership?.tried_at),
});

/** The report of a member's membership for staff. */
export async function reportOf(
  member: number,
  { memberships, ledger, payments, subscriptions, clock }: Context,
): Promise<z.infer<typeof membershipReport>> {
  const [membership, entries, paying, subscribed] = await Promise.all([
    memberships.find(member),
    ledger.of(member),
    payments.of(member),
    subscriptions.findOf([member]),
  ]);
  return {
    member,
    ...viewOf(membership, clock()),
    ...detailsOf(membership),
    ledger: entries.map(lineOf),
    pending: pendingOf(paying),
    subscriptions: subscribed.map(({ store, phase, package_id, rate_id, autorenew, ...rest }) => ({
      store,
      phase,
      package_id,
      rate_id,
      expires_at: rest.expires_at.toISOString(),
      autorenew,
      renewal_failing_since: isoOrNull(rest.failing_since),
    })),
    balance: balanceOf(entries),
  };
}

/** The site of a member; undefined for an unknown one. */
export async function siteOf(id: number, { profile }: Context): Promise<number | undefined> {
  try {
    return (await profile.memberLocale({ id })).siteid;
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined;
    throw error;
  }
}

/** The rule of calls about a membership: support of the member's site. */
export const forSupport: StaffRule<Context, { readonly member: number }> = {
  roles: ['support'],
  site: ({ member }, context) => siteOf(member, context),
};

/** Shows a membership to staff. */
export const viewMembership = endpoint({
  access: 'staff',
  staff: forSupport,
  operationId: 'getStaffMembership',
  summary: 'Get the membership of a member',
  description:
    'The membership of a member with every payment, refund and correction. Counts as GET /staff/members/{id} does (429).',
  answer: 'The membership and its ledger.',
  example: { request: { member: 1002 } },
  input: z.object({ member: memberInPath }),
  output: membershipReport,
  async handler({ input: { member }, caller }, context: Context) {
    await context.profile.countStaffView({ staff: caller.memberId, member });
    return reportOf(member, context);
  },
});
