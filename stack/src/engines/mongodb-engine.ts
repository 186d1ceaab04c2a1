import { mkdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { mongo } from 'mongoose';
import type { EngineKind, EnginePlace, Launch, StartOptions } from './engine.ts';
import { findCommand } from './find-command.ts';
import { embeddedEngines, type EmbeddedEngines } from './jar-cache.ts';
import { javaOptions } from './java-options.ts';

/** Indexes live in it, about 450 bytes of a member's: room for a million members. */
const heapMebibytes = 1_536;

/** Bytes a second that filling the indexes reads at least, on a machine with much else to do. */
const slowestReading = 4_000_000;

/** New objects get little room, so that a collection of them is done in 4 ms and not in 16, in which nobody is answered. */
const youngMebibytes = 24;

/** MongoDB where it is installed, else the embedded database, which speaks its protocol. */
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
export async function findEmbeddedMongodb(
  options: StartOptions,
): Promise<(place: EnginePlace) => Promise<Launch>> {
  const engines = await embeddedEngines('mongodb', options);
  return async (place) => embedded(engines, place, options);
}

/** Files of one server are not the other's: each has a folder. */
function dataFolder(place: EnginePlace, origin: Launch['origin']): string {
  const folder = join(place.folder, origin);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function installed(server: string, place: EnginePlace, options: StartOptions): Launch {
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

function embedded({ folder, java }: EmbeddedEngines, place: EnginePlace, options: StartOptions): Launch {
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
      // The library's log would hold documents; the launcher prints what is worth knowing.
      '-Dslf4j.internal.verbosity=ERROR',
      // A search for leaks in its own network library, sampled, that slows every byte it writes.
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
