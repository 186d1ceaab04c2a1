import { Failure, forbidden, invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SubscriptionsContext } from './subscriptions.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { showMembership } from '../memberships/show-membership.ts';
import { appPlatforms } from '../prices/package-data.ts';
import { takeReceipt } from './buy-at-store.ts';

/** Receipts of one call: more than a buyer has current subscriptions. */
const mostReceipts = 20;

/** POST /packages/restore: takes the receipts that an app finds on a new device or after a new installation. */
export const restorePurchases = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'restorePurchases',
  summary: 'Restore purchases from a store',
  description:
    'Takes the receipts that the app gets from its store, for example all of StoreKit’s `Transaction.currentEntitlements`. A receipt that is not genuine, or another member’s where the operator lets none move, is left out; 403 without code if none is left.',
  answer: 'The membership.',
  example: { request: { app_platform: 'app_ios', receipts: ['eyJhbGciOiJFUzI1NiIsIng1YyI6Wy…'] } },
  refusals: ['Invalid Argument', 'Purchase Not Possible'],
  bodyOnly: true,
  input: z.object({
    app_platform: z
      .enum(appPlatforms)
      .meta({ description: 'The platform of the app, which names the store.' }),
    app_id: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'The package name; required on Android.' }),
    receipts: z
      .array(z.string().min(1).max(16_384))
      .min(1)
      .max(mostReceipts)
      .meta({ description: 'Signed transactions of the App Store, or purchase tokens of Google Play.' }),
  }),
  output: membershipView
    .extend({
      restored: z.int().meta({ description: 'How many receipts count for the member.', examples: [1] }),
    })
    .meta({ id: 'RestoredMembership' }),
  async handler({ input: { app_platform, app_id, receipts }, caller }, context: SubscriptionsContext) {
    if (!context.sites.has(caller.siteid)) throw forbidden();
    const store = context.stores.forPlatform(app_platform);
    if (!store) throw new Failure(403, 'Purchase Not Possible');
    const take = async (receipt: string): Promise<boolean> => {
      try {
        await takeReceipt(store, { receipt, app_id }, caller, context);
        return true;
      } catch (error) {
        // A receipt of another member must not block the others; an unavailable store is 503.
        if (!(error instanceof Failure) || error.status !== 403) throw error;
        return false;
      }
    };
    // At once: one after the other, a slow store would outlast the gateway.
    const taken = await Promise.all([...new Set(receipts)].map(take));
    const restored = taken.filter(Boolean).length;
    if (!restored) throw invalidArgument();
    const membership = await showMembership(caller.id, context);
    return { ...viewOf(membership, context.clock()), restored };
  },
});
