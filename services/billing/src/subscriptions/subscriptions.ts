import type { Sites } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';
import type { SecurityLog } from '@covalence/runtime/security-events';
import type { ReceiptLimit } from './receipt-limit.ts';
import type { Stores } from './stores.ts';
import type { SyncContext } from './sync-subscription.ts';

/** The dependencies of purchases, and of what members and staff do with them. */
export interface SubscriptionsContext extends SyncContext {
  /** The stores whose subscriptions are taken. */
  readonly stores: Stores;
  readonly receiptLimit: ReceiptLimit;
  readonly sites: Sites;
  readonly profile: Pick<
    Peer<'profile'>,
    'takeMembership' | 'memberLocale' | 'requestRefund' | 'countStaffView'
  >;
  readonly auth: Pick<Peer<'auth'>, 'checkReturns' | 'recordStaffCall'>;
  /** Secret of webhook signatures; without it webhooks are 404. */
  readonly webhookSecret: string | undefined;
  readonly security: SecurityLog;
}
