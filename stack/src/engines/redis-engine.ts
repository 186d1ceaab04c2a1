import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { requireCommand } from './debian-packages.ts';
import { writePrivateText } from '@covalence/runtime/private-file';
import type { EngineKind } from './engine.ts';
import { enginePassword, serviceUsers } from './service-users.ts';

/** The users of the services; here the default user is the operator. */
const usersWith = (password: string): string =>
  serviceUsers('redis.acl', password, '*').replace(/^user (default|operator) .*\n/gm, '');

/** Redis or Valkey with an append-only file: a killed server loses at most a second. */
export const redisEngine: EngineKind = {
  name: 'redis',
  title: 'Redis',
  ports: ['redis'],
  hasServiceUsers: true,

  async find(options) {
    const server = await requireCommand({
      title: 'Redis',
      commands: ['redis-server', 'valkey-server'],
      package: 'redis-server',
      variable: 'REDIS_URL',
      options,
    });
    return async ({ folder, shared, ports }) => {
      const data = join(folder, 'data');
      mkdirSync(data, { recursive: true });
      const port = ports['redis'] ?? 0;
      const password = enginePassword(shared);
      const settings: Record<string, string> = {
        port: String(port),
        bind: '127.0.0.1',
        dir: data,
        daemonize: 'no',
        appendonly: 'yes',
        appendfsync: 'everysec',
        // No snapshots beside the append-only file.
        save: '',
        requirepass: password,
      };
      // A file, because every user of the machine can read arguments.
      const file = join(folder, 'redis.conf');
      const lines = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
      writePrivateText(file, lines.join('') + usersWith(password));
      return {
        origin: 'installed',
        command: server,
        args: [file],
        environment: options.environment,
        url: `redis://:${password}@127.0.0.1:${port}`,
        port,
      };
    };
  },

  async ping(url) {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: 2_000,
      disconnectTimeout: 100,
      retryStrategy: () => null,
    });
    // connect() rejects; without a listener the event would be printed too.
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      const server = await redis.info('server');
      return /^redis_version:(.+?)\r?$/m.exec(server)?.[1];
    } finally {
      redis.disconnect();
    }
  },
};
