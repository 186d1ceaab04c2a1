import { mkdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { mongo } from 'mongoose';
import type { EngineKind, ServerPaths, Launch, Launcher, StartOptions } from './engine.ts';
import { findCommand } from './find-command.ts';
import { embeddedEngines, type EmbeddedEngines } from './jar-cache.ts';
import { javaOptions } from './java-options.ts';

/** Holds the indexes, about 450 bytes per member: enough for a million members. */
const heapMebibytes = 1_536;

/** The least speed of filling the indexes, bytes per second, on a busy machine. */
const slowestReading = 4_000_000;

/** A small young generation keeps the pauses of its collections short. */
const youngMebibytes = 24;

/** An installed MongoDB, else the embedded database with the same protocol. */
export const mongodbEngine: EngineKind = {
  name: 'mongodb',
  title: 'MongoDB',
  ports: ['mongodb'],

  async find(options) {
    const server = findCommand(['mongod'], options.environment);
    if (server !== undefined) return async (place) => installed(server, place, options);
    return findEmbeddedMongodb(options);
  },

  async ping(url) {
    const timeout = 2_000;
    const client = new mongo.MongoClient(url, {
      serverSelectionTimeoutMS: timeout,
      connectTimeoutMS: timeout,
    });
    try {
      await client.db('admin').command({ ping: 1 });
      const { version } = await client.db('admin').command({ buildInfo: 1 });
      return typeof version === 'string' ? version : undefined;
    } finally {
      await client.close();
    }
  },
};

/** The embedded database, fetched at the first use. */
export async function findEmbeddedMongodb(options: StartOptions): Promise<Launcher> {
  const engines = await embeddedEngines('mongodb', options);
  return async (place) => embedded(engines, place, options);
}

/** Each server has its own folder, because their files differ. */
function dataFolder(place: ServerPaths, origin: Launch['origin']): string {
  const folder = join(place.folder, origin);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function installed(server: string, place: ServerPaths, options: StartOptions): Launch {
  const port = place.ports['mongodb'] ?? 0;
  const data = dataFolder(place, 'installed');
  const files = ['--dbpath', data, '--nounixsocket'];
  return {
    origin: 'installed',
    command: server,
    args: [...files, '--port', String(port), '--bind_ip', '127.0.0.1', '--wiredTigerCacheSizeGB', '0.25'],
    environment: options.environment,
    url: `mongodb://127.0.0.1:${port}`,
    port,
  };
}

function embedded({ folder, java }: EmbeddedEngines, place: ServerPaths, options: StartOptions): Launch {
  const port = place.ports['mongodb'] ?? 0;
  const file = join(dataFolder(place, 'embedded'), 'documents.mv.db');
  const classPath = [join(folder, 'launcher'), join(folder, 'mongodb/lib/*')].join(delimiter);
  const machine = javaOptions({
    heapMebibytes,
    javaVersion: java.version,
    temporaryFolder: dirname(file),
    own: options.environment['MONGODB_JAVA_OPTS'],
  });
  return {
    origin: 'embedded',
    command: join(java.home, 'bin/java'),
    args: [
      `-Xmn${youngMebibytes}m`,
      ...machine,
      // The log of the library would contain documents.
      '-Dslf4j.internal.verbosity=ERROR',
      // Leak detection of Netty slows down every write.
      '-Dio.netty.leakDetection.level=disabled',
      '-cp',
      classPath,
      'covalence.MongoLauncher',
      String(port),
      file,
    ],
    environment: options.environment,
    url: `mongodb://127.0.0.1:${port}`,
    port,
    readingSeconds: (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / slowestReading,
  };
}
