import type { Engine, EngineNode } from '@covalence/stack/engines/engine';
import { ownerOf, primaryOf } from '@covalence/stack/engines/redis-groups';
import { rabbitmqCommand } from '@covalence/testing/rabbitmq-command';
import { connect } from 'amqplib';

type Named = Readonly<Record<string, string>>;

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

/** The master, and a node with primary shards that is not the master. */
async function leadersOfElasticsearch(engine: Engine): Promise<readonly string[]> {
  const [master] = await tableOf(engine, 'master');
  const name = master?.['node'] ?? '';
  const primaries = (await tableOf(engine, 'shards')).filter(({ prirep }) => prirep === 'p');
  const other = primaries.find(({ node }) => node !== name)?.['node'];
  return [name, ...(other === undefined ? [] : [other])];
}

/** The node that leads most queues. */
async function leadersOfRabbitmq({ nodes }: Engine): Promise<readonly string[]> {
  const pid = nodes.find((node) => node.pid !== undefined)?.pid;
  if (pid === undefined) throw new Error('no node of RabbitMQ runs');
  const args = ['--silent', '--formatter', 'json', 'list_queues', 'name', 'leader'];
  const queues = JSON.parse(await rabbitmqCommand(pid, 'rabbitmqctl', args)) as readonly Named[];
  const led = Object.groupBy(queues, ({ leader = '' }) => leader.replace(/@.*/, ''));
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

const accepts = async (url: string): Promise<boolean> =>
  connect(url, { timeout: 3_000 }).then(
    async (connection) => {
      await connection.close();
      return true;
    },
    () => false,
  );

/** Whether all servers of an engine take part. */
export async function isWhole(engine: Engine): Promise<boolean> {
  const { name, nodes } = engine;
  if (nodes.some(({ pid }) => pid === undefined)) return false;
  // The services say whether they reach Redis.
  if (nodes.length === 1 || name === 'redis') return true;
  if (name === 'rabbitmq') return (await Promise.all(nodes.map(({ url }) => accepts(url)))).every(Boolean);
  const [health] = await tableOf(engine, 'health').catch(() => []);
  return health?.['status'] === 'green' && health['node.total'] === String(nodes.length);
}
