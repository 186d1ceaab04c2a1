import { Redis } from 'ioredis';
import { CommandError } from '@covalence/runtime/command-error';
import { joinHosts } from '@covalence/runtime/host-urls';
import type { EngineKind, EngineNode, ServerPaths } from './engine.ts';
import { waitUntil } from './process-table.ts';
import { redisEngine, redisLauncher } from './redis-engine.ts';

const host = '127.0.0.1';
const settleSeconds = 60;
const commandMs = 5_000;

/** Silence of a server after which another takes over, ms. */
const silenceMs = 2_000;

async function withClients<Result>(
  nodes: readonly EngineNode[],
  work: (clients: readonly Redis[]) => Promise<Result>,
): Promise<Result> {
  const options = { maxRetriesPerRequest: 1, commandTimeout: commandMs, disconnectTimeout: 100 };
  const clients = nodes.map(({ url }) => new Redis(url, options));
  // Commands reject; without a listener the event would be printed too.
  for (const client of clients) client.on('error', () => undefined);
  try {
    return await work(clients);
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const isReached = await waitUntil(() => isTrue().catch(() => false), settleSeconds * 1_000);
  if (!isReached) throw new CommandError(`${what} takes longer than ${settleSeconds} s`);
}

const every = async (clients: readonly Redis[], isTrue: (client: Redis) => Promise<boolean>) =>
  (await Promise.all(clients.map(isTrue))).every(Boolean);

const factOf = async (client: Redis, name: string) =>
  new RegExp(`^${name}:(\\w+)`, 'm').exec(await client.cluster('INFO'))?.[1];

const withScheme = (scheme: string, url: string): string => url.replace(/^redis:/, `${scheme}:`);

const slotRanges = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;
const primaries = slotRanges.length;

const serverCount = 2 * primaries;

const knowsAll = async (client: Redis): Promise<boolean> =>
  (await factOf(client, 'cluster_known_nodes')) === String(serverCount);

const isInOrder = async (client: Redis): Promise<boolean> =>
  (await factOf(client, 'cluster_state')) === 'ok' &&
  !(await client.info('replication')).includes('master_link_status:down');

/** Gives the first servers the slots and each a replica, unless a former start did. */
async function formCluster(nodes: readonly EngineNode[], places: readonly ServerPaths[]): Promise<void> {
  await withClients(nodes, async (clients) => {
    if (!(await every(clients, knowsAll))) {
      for (const [index, client] of clients.entries()) {
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
        const range = slotRanges[index];
        if (range) await client.call('CLUSTER', 'ADDSLOTSRANGE', ...range);
        const { redis = 0, bus = 0 } = places[index]?.ports ?? {};
        if (index) await clients[0]?.call('CLUSTER', 'MEET', host, redis, bus);
      }
      await until('meeting the other servers of Redis', () => every(clients, knowsAll));
      const ids = await Promise.all(
        clients.slice(0, primaries).map(async (client) => String(await client.call('CLUSTER', 'MYID'))),
      );
      for (const [index, client] of clients.slice(primaries).entries()) {
        const replicate = async () => (await client.call('CLUSTER', 'REPLICATE', ids[index] ?? '')) === 'OK';
        await until('finding the primary of Redis', replicate);
      }
    }
    await until('the cluster of Redis', () => every(clients, isInOrder));
  });
}

const clusterNodes = Array.from({ length: serverCount }, (_, index) => `redis-${index + 1}`);

/** Redis Cluster: three primaries, each with a replica. */
export const redisClusterKind: EngineKind = {
  ...redisEngine,
  ports: ['redis', 'bus'],
  nodes: clusterNodes,
  find: redisLauncher(({ ports }, _all, password) => ({
    settings: {
      masterauth: password,
      'cluster-enabled': 'yes',
      'cluster-port': String(ports['bus']),
      'cluster-announce-ip': host,
      'cluster-node-timeout': String(silenceMs),
      // Otherwise one shard that is down would stop the others.
      'cluster-require-full-coverage': 'no',
      'repl-diskless-sync-delay': '0',
    },
  })),
  async join(nodes, places) {
    await formCluster(nodes, places);
    return withScheme('redis+cluster', joinHosts(nodes.map(({ url }) => url)));
  },
};

/** The server of a cluster that has a key. */
export function ownerOf(key: string, nodes: readonly EngineNode[]): Promise<EngineNode> {
  const running = nodes.filter(({ pid }) => pid !== undefined);
  return withClients(running, async ([client]) => {
    const slot = Number(await client?.cluster('KEYSLOT', key));
    const ranges = (await client?.cluster('SLOTS')) ?? [];
    const [, , primary] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
    const owner = running.find(({ url }) => Number(new URL(url).port) === primary?.[1]);
    if (!owner) throw new Error(`no server has ${key}`);
    return owner;
  });
}

/** By this name the Sentinels know the primary. */
const primaryName = 'main';
const dataNodes = ['redis-1', 'redis-2', 'redis-3'];
const sentinelNodes = ['sentinel-1', 'sentinel-2', 'sentinel-3'];
const quorum = 2;

const isSentinel = ({ name }: { readonly name: string }) => sentinelNodes.includes(name);

/** The address that the Sentinels report. */
const primaryPort = async (sentinel: Redis): Promise<number> =>
  Number(((await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName)) as [string, string])[1]);

/** A primary with two replicas, and three Sentinels that replace it if it fails. */
export const redisSentinelKind: EngineKind = {
  ...redisEngine,
  nodes: [...dataNodes, ...sentinelNodes],
  find: redisLauncher((place, [first], password) => {
    const port = String(first?.ports['redis']);
    const ofSentinel = {
      'sentinel announce-ip': host,
      [`sentinel monitor ${primaryName} ${host} ${port}`]: String(quorum),
      [`sentinel auth-pass ${primaryName}`]: password,
      'sentinel sentinel-pass': password,
      [`sentinel down-after-milliseconds ${primaryName}`]: String(silenceMs),
      [`sentinel failover-timeout ${primaryName}`]: '5000',
    };
    const ofServer = {
      masterauth: password,
      'replica-announce-ip': host,
      'repl-diskless-sync-delay': '0',
      // Otherwise a primary that is cut off would take writes, which are lost.
      'min-replicas-to-write': '1',
      ...(place !== first && { [`replicaof ${host}`]: port }),
    };
    return {
      settings: isSentinel(place) ? ofSentinel : ofServer,
      isSentinel: isSentinel(place),
      notesRole: true,
    };
  }),
  async join(nodes) {
    const sentinels = nodes.filter(isSentinel);
    await withClients(sentinels, (clients) =>
      until('the replicas and Sentinels of Redis', () =>
        every(clients, async (client) => {
          const facts = (await client.call('SENTINEL', 'MASTER', primaryName)) as string[];
          const factOf = (name: string) => Number(facts[facts.indexOf(name) + 1]);
          return (
            factOf('num-slaves') === dataNodes.length - 1 &&
            factOf('num-other-sentinels') === sentinels.length - 1
          );
        }),
      ),
    );
    const url = withScheme('redis+sentinel', joinHosts(sentinels.map((sentinel) => sentinel.url)));
    return `${url}/${primaryName}?sentinel_password=${new URL(url.replace(/,.*/, '')).password}`;
  },
};

/** The server that the Sentinels take for the primary. */
export function primaryOf(nodes: readonly EngineNode[]): Promise<EngineNode> {
  return withClients(nodes.filter(isSentinel), async ([sentinel]) => {
    const port = sentinel && (await primaryPort(sentinel));
    const primary = nodes.find(({ url }) => Number(new URL(url).port) === port);
    if (!primary) throw new Error('the Sentinels know no primary');
    return primary;
  });
}

/** Whether every replica of a cluster, or of the primary of Sentinels, follows: then any one server can be lost. */
export function isReplicated(nodes: readonly EngineNode[]): Promise<boolean> {
  const servers = nodes.filter((node) => !isSentinel(node));
  const isCluster = servers.length === nodes.length;
  return withClients(servers, async (clients) => {
    const facts = await Promise.all(clients.map((client) => client.info('replication')));
    const following = facts.filter((text) => text.includes('master_link_status:up'));
    const expected = servers.length - (isCluster ? primaries : 1);
    return following.length === expected && (!isCluster || (await every(clients, isInOrder)));
  });
}
