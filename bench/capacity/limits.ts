import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { costOf, size, type Basis, type Sizing } from './sizing.ts';

/** The most pods of a service (k8s/base). */
export const mostPods: Readonly<Record<ServiceName, number>> = {
  gateway: 10,
  auth: 8,
  profile: 12,
  search: 8,
  billing: 4,
  updates: 8,
};

/** Half of the memory limit of search (k8s/base), in bytes. */
export const searchHeap = 384 * 2 ** 20;
/** The matching takes two lists of 8 bytes for an id, an alert about 1 KiB (`pnpm bench alerts` prints it). */
const inSearch = { id: 16, alert: 1_024 };
/** From midnight UTC to the morning. */
const matchingHours = 6;
/** A backup reads so many bytes per second, and must end within MongoDB's snapshot window (docs/deploy.md). */
const backup = { perSecond: 8e6, seconds: 300 };
/** Time for which an update of a member may keep a process of search from searches, ms. */
const alertMs = 100;
/** Hours for which a rebuild may go on beside the live index. */
const rebuildHours = 4;
/** Entries of the queue with which `pnpm bench queue` measures. */
const queueEntries = 100_000;

/** A limit that growth reaches. */
interface Limit {
  readonly what: string;
  /** 1 at the limit. It never falls with the members. */
  readonly load: (sizing: Sizing, basis: Basis) => number;
  /** The switch, or that there is none. */
  readonly answer: string;
  /** The basis of load and limit. */
  readonly from: 'measured' | 'calculated' | 'judgment';
}

const pods = (name: ServiceName): Limit => ({
  what: `\`maxReplicas\` of ${name}: ${mostPods[name]} pods`,
  load: ({ services }) => services[name].processes / (mostPods[name] + 1),
  answer: 'raise `maxReplicas` in your overlay',
  from: 'measured',
});

const limits: readonly Limit[] = [
  ...serviceNames.map(pods),
  {
    what: 'backups by the driver end within 300 s',
    load: ({ mongodb }) => mongodb.data / (backup.perSecond * backup.seconds),
    answer: 'snapshots of volumes or Percona, then `restore --loaded` ([deploy](deploy.md#back-up))',
    from: 'calculated',
  },
  {
    what: 'cores of the node of MongoDB’s primary',
    load: ({ cores }, { inputs: { node, utilization } }) => cores.mongodb / (node.cores * utilization),
    answer: '`covalence migrate shards` ([deploy](deploy.md#shard-mongodb)), not tried on a cluster',
    from: 'measured',
  },
  {
    what: 'indexes of MongoDB, of members of 60 days, in half of a node’s memory',
    load: ({ mongodb }, { inputs: { node, recent } }) => (mongodb.index * recent) / (node.memory * 2 ** 29),
    answer: 'a larger node, then shards as above',
    from: 'calculated',
  },
  {
    what: 'photo look-ups, which every shard answers: cores of each',
    load: ({ rates }, { inputs: { node, utilization }, measured }) =>
      (rates['GET /photos/{file}'] * costOf(measured, 'GET /photos/{file}', 'mongodb', 0)) /
      1_000 /
      (node.cores * utilization),
    answer: 'a CDN for public photos; names by `_id` as a collection: not built',
    from: 'calculated',
  },
  {
    what: 'accounts, which stay on one shard: its disk',
    load: ({ members }, { inputs: { node }, measured: { mongodb } }) =>
      (members * (mongodb.account.data + mongodb.account.index)) / (node.disk * 7e8),
    answer: 'claims of passkeys and identities by `_id`: not built',
    from: 'calculated',
  },
  {
    what: 'one Redis: its one core',
    load: ({ cores }, { inputs: { utilization } }) => cores.redis / utilization,
    answer: 'Redis Cluster: `REDIS_URL=redis+cluster://…`',
    from: 'measured',
  },
  {
    what: 'one quorum queue: events per second',
    load: ({ events }, { inputs: { utilization }, figures: { queue } }) => events / queue / utilization,
    answer: 'consistent hash over several queues for each consumer, as below: not built',
    from: 'measured',
  },
  {
    what: 'a search on one shard of the index takes too long',
    load: ({ elasticsearch }, { inputs: { searchMs } }) => elasticsearch.searchMs / searchMs,
    answer: '`number_of_shards` in `MAPPING_FILE`, then a rebuild',
    from: 'measured',
  },
  {
    what: 'size of the one shard of the index',
    load: ({ elasticsearch }, { inputs: { shard } }) => elasticsearch.bytes / (shard * 1e9),
    answer: '`number_of_shards` in `MAPPING_FILE`, then a rebuild',
    from: 'measured',
  },
  {
    what: `rebuild of the index in ${rebuildHours} hours`,
    load: (sizing) => sizing.rebuildHours / rebuildHours,
    answer: 'it goes on beside the live index; several processes: not built',
    from: 'measured',
  },
  {
    what: 'alerts: an update is compared with every saved search that notifies',
    load: ({ alertCost }) => alertCost / alertMs,
    answer: 'more processes of search spread the updates; an index of alerts: not built',
    from: 'measured',
  },
  {
    what: 'alerts, which every process of search has in its heap',
    load: ({ members }, { inputs: { alerts } }) => (members * alerts * inSearch.alert) / searchHeap,
    answer: 'a higher memory limit; an index of alerts: not built',
    from: 'calculated',
  },
  {
    what: 'ids of the daily matching in the heap of search',
    load: ({ matching }) => (matching.members * inSearch.id) / searchHeap,
    answer: 'a higher memory limit; reading by parts: not built',
    from: 'calculated',
  },
  {
    what: `daily matching in ${matchingHours} hours, by one process`,
    load: ({ matching }) => matching.hours / matchingHours,
    answer: 'groups of sites by several processes: not built',
    from: 'measured',
  },
  {
    what: `photos of a day for moderators, beyond the ${queueEntries / 1_000} thousand measured`,
    load: ({ actives }, { inputs: { calls } }) => (actives * calls['POST /photo']) / queueEntries,
    answer: 'a classifier before the queue; a moderator decides about 2,000 a day',
    from: 'judgment',
  },
];

/** Beyond the largest number of members that is looked at. */
const most = 1e10;

/** The members with which a limit is reached, other inputs being equal; undefined beyond ten billion. */
export function reachedAt({ load }: Pick<Limit, 'load'>, basis: Basis): number | undefined {
  const isReached = (members: number) => {
    const with_ = { ...basis, inputs: { ...basis.inputs, members } };
    return load(size(with_), with_) >= 1;
  };
  if (!isReached(most)) return undefined;
  let [below, above] = [1, most];
  while (above / below > 1.005) {
    const middle = Math.sqrt(below * above);
    if (isReached(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The limits in the order in which growth reaches them. */
export const limitsInOrder = (basis: Basis) =>
  limits
    .map((limit) => ({ ...limit, members: reachedAt(limit, basis) }))
    .toSorted((one, other) => (one.members ?? Infinity) - (other.members ?? Infinity));
