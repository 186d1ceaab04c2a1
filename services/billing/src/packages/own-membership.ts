import { labelIn } from '@covalence/contract/catalogue/labels';
import { forbidden } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import { ledgerKinds } from '../ledger/ledger-store.ts';
import { moneyView } from '../ledger/money.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { isManagedByStore } from '../memberships/membership.ts';
import { readerOf } from './reader.ts';

/** Bookings in a history: more than ten years of monthly renewals. */
const maxHistory = 150;

const soldPackage = {
  package_id: z.int().meta({ examples: [1] }),
  rate_id: z.int().meta({ examples: [101] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Null for a package that is no longer sold.', examples: ['1 month'] }),
};

const booking = z
  .object({
    kind: z.enum(ledgerKinds),
    at: z.iso.datetime().meta({ examples: ['2026-05-02T12:00:00.000Z'] }),
    ...soldPackage,
    amount: z.number().meta({ description: 'Negative for a refund, 0 for a trial.', examples: [29.99] }),
    amount_fmt: z.string().meta({ examples: ['$29.99'] }),
    currency_code: z.string().meta({ examples: ['USD'] }),
  })
  .meta({ id: 'MembershipBooking' });

/** GET /memberships/self: what the member has, and what was booked for it. */
export const showOwnMembership = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'getOwnMembership',
  summary: 'Get your membership and its history',
  description:
    'What the membership opens, and its purchases, renewals, refunds and corrections, newest first; at most 150. Texts and amounts are in the member’s locale.',
  answer: 'The membership and its history.',
  input: z.object({}),
  output: membershipView
    .extend({
      entitlements: z
        .array(z.enum(['platinum']))
        .meta({ description: '`platinum` while the membership is active.', examples: [['platinum']] }),
      package: z
        .object(soldPackage)
        .nullable()
        .meta({ description: 'What was bought last; null without a membership.' }),
      next_package: z
        .object(soldPackage)
        .nullable()
        .meta({ description: 'What the next renewal buys instead, after a change that waits for it.' }),
      store: z
        .object({
          name: z.string().meta({ examples: ['app_store'] }),
          manage_url: z
            .url()
            .nullable()
            .meta({
              description: 'Null for what was bought on the web: POST /packages/portal.',
              examples: ['https://apps.apple.com/account/subscriptions'],
            }),
        })
        .nullable()
        .meta({ description: 'The store whose subscription this is: only there it is changed.' }),
      account_token: z
        .uuid()
        .nullable()
        .meta({
          description:
            'What an app gives its store with each purchase: `appAccountToken` of StoreKit, `obfuscatedAccountId` of Play. Null where no store is listed.',
          examples: ['7b1f4c1e-0b0e-4c39-9a43-1c8d1b9c6f0a'],
        }),
      is_pending: z.boolean().meta({
        description: 'Whether the provider has not decided about a payment yet.',
        examples: [false],
      }),
      history: z.array(booking),
    })
    .meta({ id: 'OwnMembership' }),
  async handler({ caller }, context: SubscriptionsContext) {
    if (!context.sites.has(caller.siteid)) throw forbidden();
    const { memberships, subscriptions, ledger, payments, packageData, stores, clock } = context;
    const [membership, entries, paying, subscribed, locale, account_token] = await Promise.all([
      memberships.find(caller.id),
      ledger.of(caller.id),
      payments.of(caller.id),
      subscriptions.findOf([caller.id]),
      readerOf(caller, context).locale(),
      stores.all.length ? context.accountTokens.of(caller.id) : null,
    ]);
    const store =
      membership && isManagedByStore(membership) && stores.find(membership.source?.provider ?? '');
    const names = new Map(
      packageData.packages.map(({ package_id, names: texts }) => [package_id, labelIn(texts, locale)]),
    );
    const soldAs = ({ package_id, rate_id }: { readonly package_id: number; readonly rate_id: number }) => ({
      package_id,
      rate_id,
      name: names.get(package_id) ?? null,
    });
    const view = viewOf(membership, clock());
    const { source } = membership ?? {};
    const shown = subscribed.find(
      ({ store: name, reference }) => name === source?.provider && reference === source.reference,
    );
    return {
      ...view,
      entitlements: view.membership_status === 'active' ? ['platinum' as const] : [],
      package: membership && view.membership_status !== 'none' ? soldAs(membership) : null,
      next_package: view.autorenew && shown?.next ? soldAs(shown.next) : null,
      store: store ? { name: store.name, manage_url: store.manageUrl } : null,
      account_token,
      is_pending:
        paying.some(({ state }) => state === 'open') || subscribed.some(({ phase }) => phase === 'pending'),
      history: entries
        .slice(-maxHistory)
        .toReversed()
        .map((entry) => {
          const money = moneyView(locale, entry.currency);
          return {
            kind: entry.kind,
            at: entry.at.toISOString(),
            ...soldAs(entry),
            amount: money.number(entry.amount),
            amount_fmt: money.text(entry.amount),
            currency_code: entry.currency,
          };
        }),
    };
  },
});
