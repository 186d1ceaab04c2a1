import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { z } from 'zod';
import { requireCommand } from './debian-packages.ts';
import type { EngineKind } from './engine.ts';
import { findCommand } from './find-command.ts';
import { enginePassword, serviceUsers } from './service-users.ts';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { CommandError } from '@covalence/runtime/command-error';

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
    return async ({ folder, ports }) => {
      const password = enginePassword(folder);
      writeConfiguration(folder, ports, password);
      const port = ports['amqp'] ?? 0;
      return {
        origin: 'installed',
        command: '/bin/sh',
        args: ['-c', startNode, 'rabbitmq', mapper, String(ports['mapper']), server],
        environment: { ...withoutErlang(options.environment), ...nodeEnvironment(folder, ports) },
        url: `amqp://guest:${password}@127.0.0.1:${port}`,
        port,
      };
    };
  },

  async ping(url) {
    const connection = await connect(url, { timeout: 2_000 });
    connection.on('error', () => undefined);
    const { version } = connection.connection.serverProperties;
    await connection.close();
    return version;
  },
};

/** Leaves out settings of the user's own RabbitMQ or Erlang. */
function withoutErlang(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(RABBITMQ_|ERL_)/.test(name)));
}

function nodeEnvironment(folder: string, ports: Readonly<Record<string, number>>): Record<string, string> {
  return {
    // Erlang keeps its cookie in the home folder.
    HOME: folder,
    // The data belongs to the name, so the name never changes; ports tell nodes apart.
    RABBITMQ_NODENAME: 'covalence@localhost',
    RABBITMQ_NODE_PORT: String(ports['amqp']),
    RABBITMQ_DIST_PORT: String(ports['distribution']),
    ERL_EPMD_PORT: String(ports['mapper']),
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
function definitionsWith(password: string) {
  const { users, permissions, ...others } = definitionsSchema.parse(
    JSON.parse(serviceUsers('rabbitmq.json', password, '[^.]+')),
  );
  return {
    ...others,
    users: [...users, { name: 'guest', password, tags: 'administrator' }],
    permissions: [...permissions, { user: 'guest', vhost: '/', configure: '.*', write: '.*', read: '.*' }],
  };
}

function writeConfiguration(folder: string, ports: Readonly<Record<string, number>>, password: string): void {
  mkdirSync(folder, { recursive: true });
  const definitions = join(folder, 'definitions.json');
  writePrivateFile(definitions, definitionsWith(password));
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${ports['amqp']}`,
    `load_definitions = ${definitions}`,
    'log.console = true',
    'log.file = false',
    // Quorum queues keep their log in memory up to this size (default 512 MiB).
    `raft.wal_max_size_bytes = ${64 * 1024 ** 2}`,
  ];
  writeFileSync(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(folder, 'rabbitmq-env.conf'), '');
  writeFileSync(join(folder, 'enabled_plugins'), '[].\n');
}
