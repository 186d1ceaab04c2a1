import { sharding as auth } from '@covalence/auth/sharding';
import { sharding as billing } from '@covalence/billing/sharding';
import { sharding as profile } from '@covalence/profile/sharding';
import { sharding as search } from '@covalence/search/sharding';
import { code, tableOf, withGenerated } from './table.ts';

const services = { auth, billing, profile, search };

/** docs/deploy.md with the shard key of every collection. */
export function withShardKeys(page: string): string {
  const rows = Object.entries(services).flatMap(([service, sharding]) =>
    Object.entries(sharding).map(([collection, { key, because, scatters = '' }]) => [
      code(`${service}.${collection}`),
      key ? code(Object.keys(key).join(', ')) : 'none',
      because,
      scatters,
    ]),
  );
  const header = ['collection', 'shard key', 'because', 'every shard answers'];
  return withGenerated(page, 'shards', tableOf(header, rows));
}
