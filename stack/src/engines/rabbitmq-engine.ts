import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type ServerProperties } from 'amqplib';
import { z } from 'zod';
import { requireCommand } from './debian-packages.ts';
import type { EngineKind, EngineNode, ServerPaths } from './engine.ts';
import { findCommand } from './find-command.ts';
import { enginePassword, serviceUsers } from './service-users.ts';
import { writePrivateFile, writePrivateText } from '@covalence/runtime/private-file';
import { CommandError } from '@covalence/runtime/command-error';
import { joinHosts } from '@covalence/runtime/host-urls';

/** Debian's command on PATH switches to its own user and folders; the script behind it does not. */
const servers = ['/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server'];

/**
 * Starts a port mapper in the process group of the node, because a mapper that the node starts outlives it. A mapper
 * exits when the killed one before it still holds the port, so this retries. Arguments: mapper, port, server.
 */
const startNode = `
until "$1" -port "$2" -names > /dev/null 2>&1; do "$1" -port "$2" -address 127.0.0.1 & sleep 0.05; done
exec "$3"`;

/** A RabbitMQ node with its own name, ports, mapper, cookie and folders. */
export const rabbitmqEngine: EngineKind = {
  name: 'rabbitmq',
  title: 'RabbitMQ',
  ports: ['amqp', 'distribution', 'mapper'],
  hasServiceUsers: true,

  async find(options) {
    const server = await requireCommand({
      title: 'RabbitMQ',
      commands: servers,
      package: 'rabbitmq-server',
      variable: 'RABBITMQ_URL',
      options,
    });
    const mapper = findCommand(['epmd'], options.environment);
    if (mapper === undefined) {
      throw new CommandError(
        'RabbitMQ needs epmd, which comes with Erlang: put it on PATH, or set RABBITMQ_URL',
      );
    }
    return async (place, all) => {
      const password = enginePassword(place.shared);
      writeCookie(place.shared);
      writeConfiguration(place, all, password);
      const port = place.ports['amqp'] ?? 0;
      // Nodes of one host find each other by the same mapper.
      const mapperPort = String(all[0]?.ports['mapper']);
      return {
        origin: 'installed',
        command: '/bin/sh',
        args: ['-c', startNode, 'rabbitmq', mapper, mapperPort, server],
        environment: {
          ...withoutErlang(options.environment),
          ...nodeEnvironment(place, { mapperPort, name: nodeName(place, all) }),
        },
        url: `amqp://guest:${password}@127.0.0.1:${port}`,
        port,
      };
    };
  },

  ping: async (url) => (await propertiesOf(url)).version,
};

/** Properties that a node reports of itself. */
async function propertiesOf(url: string): Promise<ServerProperties> {
  const connection = await connect(url, { timeout: 2_000 });
  connection.on('error', () => undefined);
  const { serverProperties } = connection.connection;
  await connection.close();
  return serverProperties;
}

/** Three nodes of which one can be lost. */
export const rabbitmqClusterKind: EngineKind = {
  ...rabbitmqEngine,
  nodes: ['rabbitmq-1', 'rabbitmq-2', 'rabbitmq-3'],
  async join(nodes) {
    const names = await clusterNames(nodes);
    if (names.size > 1)
      throw new CommandError(
        `The nodes of RabbitMQ did not find each other (${[...names].join(', ')}): add --reset`,
      );
    return joinHosts(nodes.map(({ url }) => url));
  },
};

/** The names of the clusters that these nodes belong to. A node that found no other one is a cluster of its own. */
export const clusterNames = async (nodes: readonly EngineNode[]): Promise<ReadonlySet<string>> =>
  new Set(await Promise.all(nodes.map(async ({ url }) => (await propertiesOf(url))['cluster_name'] ?? url)));

/** Leaves out settings of the user's own RabbitMQ or Erlang. */
function withoutErlang(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(RABBITMQ_|ERL_)/.test(name)));
}

/** The data belongs to the name, so the name never changes. */
const nodeName = ({ name }: ServerPaths, all: readonly ServerPaths[]): string =>
  `${all.length === 1 ? 'covalence' : name}@localhost`;

/** The secret by which nodes and tools know each other, in the home folder of all of them. */
function writeCookie(folder: string): void {
  const file = join(folder, '.erlang.cookie');
  if (!existsSync(file)) writePrivateText(file, randomBytes(15).toString('hex'));
}

function nodeEnvironment(
  { folder, shared, ports }: ServerPaths,
  { name, mapperPort }: { name: string; mapperPort: string },
): Record<string, string> {
  return {
    HOME: shared,
    RABBITMQ_NODENAME: name,
    RABBITMQ_NODE_PORT: String(ports['amqp']),
    RABBITMQ_DIST_PORT: String(ports['distribution']),
    ERL_EPMD_PORT: mapperPort,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_MNESIA_DIR: join(folder, 'data'),
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'node.pid'),
    RABBITMQ_SCHEMA_DIR: join(folder, 'schema'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}',
    // Bound to cores, the schedulers of two nodes would share one core and leave another one idle.
    RABBITMQ_SCHEDULER_BIND_TYPE: 'u',
    // Makes the script replace itself with the node.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}

const definitionsSchema = z.looseObject({ users: z.array(z.unknown()), permissions: z.array(z.unknown()) });

/** The users of the services, and the user of the address. The node reads them at every start. */
function definitionsWith(password: string, clusterName: string | undefined) {
  const { users, permissions, ...others } = definitionsSchema.parse(
    JSON.parse(serviceUsers('rabbitmq.json', password, '[^.]+')),
  );
  return {
    ...others,
    users: [...users, { name: 'guest', password, tags: 'administrator' }],
    permissions: [...permissions, { user: 'guest', vhost: '/', configure: '.*', write: '.*', read: '.*' }],
    ...(clusterName !== undefined && {
      global_parameters: [{ name: 'cluster_name', value: clusterName }],
    }),
  };
}

/** Settings by which the nodes of a cluster find each other, and for nodes cut off from the majority. */
const clusterSettings = (all: readonly ServerPaths[]): string[] => [
  'cluster_formation.peer_discovery_backend = classic_config',
  ...all.map(
    (place, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${nodeName(place, all)}`,
  ),
  'cluster_partition_handling = pause_minority',
  // Otherwise the node that declares the queues would lead all of them.
  'queue_leader_locator = balanced',
];

function writeConfiguration(place: ServerPaths, all: readonly ServerPaths[], password: string): void {
  const { folder, ports } = place;
  const definitions = join(folder, 'definitions.json');
  // Nodes of one cluster have the name that the last one gives it, so each gives its own.
  const clusterName = all.length > 1 ? nodeName(place, all) : undefined;
  writePrivateFile(definitions, definitionsWith(password, clusterName));
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${ports['amqp']}`,
    `load_definitions = ${definitions}`,
    'log.console = true',
    'log.file = false',
    // Quorum queues keep their log in memory up to this size (default 512 MiB).
    `raft.wal_max_size_bytes = ${64 * 1024 ** 2}`,
    ...(all.length > 1 ? clusterSettings(all) : []),
  ];
  writeFileSync(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(folder, 'rabbitmq-env.conf'), '');
  writeFileSync(join(folder, 'enabled_plugins'), '[].\n');
}
