import type { Engine, EngineNode } from '@covalence/stack/engines/engine';
import { clusterNames } from '@covalence/stack/engines/rabbitmq-engine';
import { isReplicated, ownerOf, primaryOf } from '@covalence/stack/engines/redis-groups';
import { rabbitmqCommand } from '@covalence/testing/rabbitmq-command';

type Named = Readonly<Record<string, string>>;

/** Whether an engine has several servers. */
export const isCluster = ({ nodes }: Engine): boolean => nodes.length > 1;

/** Asks Elasticsearch for a table; the first node that answers. */
async function tableOf({ nodes }: Engine, path: string): Promise<readonly Named[]> {
  const table = await Promise.any(
    nodes.map(async ({ url }) => {
      const response = await fetch(`${url}/_cat/${path}?format=json`, { signal: AbortSignal.timeout(5_000) });
      return (await response.json()) as Named[];
    }),
  );
  return table;
}

/** Limits which shards Elasticsearch gives to other nodes; null lifts the limit. */
export async function allocate({ nodes }: Engine, enable: 'primaries' | null): Promise<void> {
  const body = JSON.stringify({ persistent: { 'cluster.routing.allocation.enable': enable } });
  await Promise.any(
    nodes.map(async ({ url }) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`${url}/_cluster/settings`, { method: 'PUT', headers, body });
      if (!response.ok) throw new Error(await response.text());
    }),
  );
}

/** The master, and a node with primary shards that is not the master. */
async function leadersOfElasticsearch(engine: Engine): Promise<readonly string[]> {
  const [master] = await tableOf(engine, 'master');
  const name = master?.['node'] ?? '';
  const primaries = (await tableOf(engine, 'shards')).filter(({ prirep }) => prirep === 'p');
  const other = primaries.find(({ node }) => node !== name)?.['node'];
  return [name, ...(other === undefined ? [] : [other])];
}

interface Queue {
  /** A node, as rabbitmq-1@localhost. */
  readonly leader: string;
  readonly members: readonly string[];
  readonly online: readonly string[];
}

/** The process of a server. */
export type NodeProcess = Pick<EngineNode, 'name' | 'pid'>;

/** The queues, which all are quorum queues. */
async function queuesOf({ name, nodes }: Engine): Promise<readonly Queue[]> {
  const pid = nodes.find((node) => node.pid !== undefined)?.pid;
  if (pid === undefined) throw new Error(`no node of ${name} runs`);
  const columns = ['name', 'leader', 'members', 'online'];
  const args = ['--silent', '--formatter', 'json', 'list_queues', ...columns];
  return JSON.parse(await rabbitmqCommand(pid, 'rabbitmqctl', args)) as Queue[];
}

/**
 * Cuts a node of RabbitMQ off from the others, which it no longer takes for nodes of its cluster. Resolves with the function that
 * ends it.
 */
export async function disconnect({ name, pid }: NodeProcess): Promise<() => Promise<void>> {
  if (pid === undefined) throw new Error(`${name} does not run`);
  const evaluate = (code: string) => rabbitmqCommand(pid, 'rabbitmqctl', ['--silent', 'eval', code]);
  const others = await evaluate(
    'Others = nodes(), [begin erlang:set_cookie(N, cut), erlang:disconnect_node(N) end || N <- Others], Others.',
  );
  return async () => {
    await evaluate(`[erlang:set_cookie(N, erlang:get_cookie()) || N <- ${others.trim()}].`);
  };
}

/** The node that leads most queues. */
async function leadersOfRabbitmq(engine: Engine): Promise<readonly string[]> {
  const led = Object.groupBy(await queuesOf(engine), ({ leader }) => leader.replace(/@.*/, ''));
  const [first] = Object.entries(led).toSorted(([, one = []], [, other = []]) => other.length - one.length);
  return first ? [first[0]] : [];
}

/** The primary of Redis that has a key, or the one that the Sentinels know. */
const leaderOfRedis = ({ url, nodes }: Engine): Promise<EngineNode> =>
  url.startsWith('redis+sentinel:') ? primaryOf(nodes) : ownerOf('any', nodes);

/** The servers of a cluster whose loss hurts most. */
export async function leadersOf(engine: Engine): Promise<readonly EngineNode[]> {
  if (engine.name === 'redis') return [await leaderOfRedis(engine)];
  const names =
    engine.name === 'elasticsearch' ? await leadersOfElasticsearch(engine) : await leadersOfRabbitmq(engine);
  const leaders = names.flatMap((name) => engine.nodes.find((node) => node.name === name) ?? []);
  if (!leaders.length) throw new Error(`${engine.name} has no leader among ${names.join(', ')}`);
  return leaders;
}

/** Whether all servers of an engine take part. */
export async function isWhole(engine: Engine): Promise<boolean> {
  const { name, nodes } = engine;
  if (nodes.some(({ pid }) => pid === undefined)) return false;
  if (!isCluster(engine)) return true;
  if (name === 'redis') return isReplicated(nodes).catch(() => false);
  if (name === 'rabbitmq')
    return clusterNames(nodes).then(
      ({ size }) => size === 1,
      () => false,
    );
  const [health] = await tableOf(engine, 'health').catch(() => []);
  return health?.['status'] === 'green' && health['node.total'] === String(nodes.length);
}

/** Whether an engine can lose a server: all take part, and have what the others have. */
export async function canLoseOne(engine: Engine): Promise<boolean> {
  if (!(await isWhole(engine))) return false;
  if (engine.name !== 'rabbitmq') return true;
  const queues = await queuesOf(engine);
  return queues.every(
    ({ members, online }) => members.length === engine.nodes.length && online.length === members.length,
  );
}
