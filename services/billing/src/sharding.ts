import { by, whole, type Sharding } from '@covalence/migrations/sharding';

/** Distribution of the service's collections over the shards of a MongoDB cluster. */
export const sharding: Sharding = {
  'account-tokens': whole('a token is unique; one per member who buys in an app'),
  customers: whole('a member is one customer; one per member who pays on the web'),
  leases: whole('one document per job'),
  ledger: by(
    '_id',
    'a booking is unique by its id, whoever the member is then',
    'history of a member; references of stores and of staff; erasure',
  ),
  memberships: by('_id', 'the id of its member', 'jobs: ends and renewals, outbox'),
  payments: whole('an open purchase and a receipt are unique; a few per member who pays'),
  redemptions: whole('a seat of a promo code is unique'),
  'sandbox-charges': whole('for tests'),
  'store-rounds': whole('one document per store'),
  subscriptions: by(
    '_id',
    'named by the store, and may pass to another member',
    'subscriptions of a member (membership, purchase); jobs; erasure',
  ),
};
