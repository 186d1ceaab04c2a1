import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createLogger } from '@covalence/runtime/logger';
import { connectRedis } from '@covalence/runtime/redis';
import { requireCommand } from './debian-packages.ts';
import { writePrivateText } from '@covalence/runtime/private-file';
import type { EngineKind, ServerPaths, Launcher } from './engine.ts';
import { enginePassword, serviceUsers } from './service-users.ts';

/** The users of the services; here the default user is the operator. */
const usersWith = (password: string): string =>
  serviceUsers('redis.acl', password, '*').replace(/^user (default|operator) .*\n/gm, '');

/** The role of one server among several, in addition to the settings of a single one. */
interface RedisRole {
  readonly settings: Readonly<Record<string, string>>;
  /** Sentinels have no data and no users of services. */
  readonly isSentinel?: boolean;
  /** Whether the server notes changes of its role in its settings, which the next start then keeps. */
  readonly notesRole?: boolean;
}

/** Finds Redis or Valkey. Its append-only file loses at most a second if the server is killed. */
export function redisLauncher(
  roleOf: (place: ServerPaths, all: readonly ServerPaths[], password: string) => RedisRole,
): EngineKind['find'] {
  return async (options) => {
    const server = await requireCommand({
      title: 'Redis',
      commands: ['redis-server', 'valkey-server'],
      package: 'redis-server',
      variable: 'REDIS_URL',
      options,
    });
    const launch: Launcher = async (place, all) => {
      const { folder, shared, ports } = place;
      const data = join(folder, 'data');
      mkdirSync(data, { recursive: true });
      const port = ports['redis'] ?? 0;
      const password = enginePassword(shared);
      const { isSentinel = false, notesRole = false, settings: ofRole } = roleOf(place, all, password);
      const settings: Record<string, string> = {
        port: String(port),
        bind: '127.0.0.1',
        dir: data,
        daemonize: 'no',
        requirepass: password,
        // No snapshots beside the append-only file.
        ...(!isSentinel && { appendonly: 'yes', appendfsync: 'everysec', save: '' }),
        ...ofRole,
      };
      // A file, because every user of the machine can read arguments.
      const file = join(folder, 'redis.conf');
      const lines = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
      // The server rewrites the file without these quotes.
      const isNoted = notesRole && existsSync(file) && readFileSync(file, 'utf8').includes(`port ${port}\n`);
      if (!isNoted) writePrivateText(file, lines.join('') + (isSentinel ? '' : usersWith(password)));
      return {
        origin: 'installed',
        command: server,
        args: isSentinel ? [file, '--sentinel'] : [file],
        environment: options.environment,
        url: `redis://:${password}@127.0.0.1:${port}`,
        port,
      };
    };
    return launch;
  };
}

/** One Redis server. */
export const redisEngine: EngineKind = {
  name: 'redis',
  title: 'Redis',
  ports: ['redis'],
  hasServiceUsers: true,

  find: redisLauncher(() => ({ settings: {} })),

  async ping(url) {
    const redis = connectRedis({ url, logger: createLogger('stack', 'silent') });
    try {
      await once(redis, 'ready');
      return /^redis_version:(.+?)\r?$/m.exec(await redis.info('server'))?.[1];
    } finally {
      redis.disconnect();
    }
  },
};
