import { by, whole, type Sharding } from '@covalence/migrations/sharding';

/** Distribution of the service's collections over the shards of a MongoDB cluster. */
export const sharding: Sharding = {
  accounts: whole('passkeys and provider identities are unique across accounts, which no shard key allows'),
  audit: whole('calls of staff, kept for two years'),
  claims: by(
    '_id',
    'a name is unique as an id, and found by it',
    'look-alikes of a name not in plain Latin (registration, new name); erasure',
  ),
  clients: whole('one document per app'),
  families: by(
    '_id',
    'each refresh finds its sign-in by the id in the token',
    'list of sign-ins; end of all sign-ins of an account; jobs; erasure',
  ),
  leases: whole('one document per job'),
  provider_tokens: whole('unique by person and app; written at a sign-in with a provider only'),
  signing_keys: whole('a few keys'),
};
