import { Failure, unavailable } from '@covalence/contract/failure';
import { switchRenewal } from '@covalence/contract/peers/billing-api';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SubscriptionsContext } from './subscriptions.ts';
import { changeMemberships } from '../memberships/change-memberships.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { closeCheckout } from './close-checkout.ts';
import { syncSubscription } from './sync-subscription.ts';
import { currentMembershipOf, isManagedByStore, withAutorenew } from '../memberships/membership.ts';
import { showMembership } from '../memberships/show-membership.ts';

/** Switches the renewal of a member on or off, also that of a pending purchase. */
async function changeRenewal(
  context: SubscriptionsContext,
  member: number,
  autorenew: boolean,
  at: Date,
): Promise<void> {
  await context.payments.setRenewal(member, autorenew);
  await changeMemberships(
    context,
    [member],
    (_member, current) => current && withAutorenew(current, autorenew, at),
    at,
  );
}

/**
 * Switches renewal at the stores that do so in the service's name; switched off, nobody can pay on a page that is open, either. All
 * is written before any store is called: one that is away does it as soon as it is back. Throws unless it was done or refused.
 */
async function switchAtStores(
  context: SubscriptionsContext,
  member: number,
  autorenew: boolean,
): Promise<void> {
  const { subscriptions, customers, stores, clock } = context;
  await (autorenew ? customers.keepOpen(member) : customers.setClosing(member, 'canceled'));
  for (const one of await subscriptions.findOf([member]))
    if (stores.find(one.store)?.web && one.phase !== 'ended')
      await subscriptions.requestRenewal(one, autorenew, clock());
  const closed = await Promise.allSettled(stores.all.map((store) => closeCheckout(store, member, context)));
  const synced = await Promise.allSettled(
    (await subscriptions.findOf([member])).map(async ({ store: name, reference, renews }) => {
      const store = stores.find(name);
      if (!store || renews === undefined) return;
      const now = await syncSubscription(store, reference, context);
      if (now.outcome === 'followed' && now.switched === 'failed') throw unavailable();
    }),
  );
  for (const one of [...closed, ...synced]) if (one.status === 'rejected') throw one.reason;
}

/** Switches renewal off. The membership stays until its end; one in its grace period ends at once. Idempotent. */
export const cancelMembership = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'cancelMembership',
  summary: 'End the renewal of the membership',
  description:
    'The membership stays until the end of the time that is paid for. One whose renewal failed ends at once. Repeating the call, or calling without a membership, changes nothing. A subscription that only its buyer can end is `Managed By Store`: that of an app’s store always, and one that Stripe lets nobody else change. `manage_url` of GET /memberships/self leads there, or POST /packages/portal where it is null.',
  answer: 'The membership after the change.',
  refusals: ['Managed By Store'],
  input: z.object({}),
  output: membershipView,
  async handler({ caller }, context: SubscriptionsContext) {
    const at = context.clock();
    await switchAtStores(context, caller.id, false);
    await changeRenewal(context, caller.id, false, at);
    const membership = await showMembership(caller.id, context);
    if (membership && isManagedByStore(membership) && membership.autorenew)
      throw new Failure(403, 'Managed By Store');
    return viewOf(membership, at);
  },
});

/** Switches renewal on or off. Switched on in the grace period, the job retries it; an ended membership does not change. */
export const switchRenewalEndpoint = serviceEndpoint(
  switchRenewal,
  async ({ member, autorenew }, context: SubscriptionsContext) => {
    await switchAtStores(context, member, autorenew).catch((error: unknown) =>
      context.logger.warn({ err: error }, 'switching renewal at a store failed: will retry'),
    );
    await changeRenewal(context, member, autorenew, context.clock());
    const now = await context.memberships.find(member);
    return { membership: now ? currentMembershipOf(now) : null };
  },
);
