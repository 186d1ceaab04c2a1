import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askElasticsearch } from './ask-elasticsearch.ts';
import type { EngineKind, ServerPaths, Launch, Launcher, StartOptions } from './engine.ts';
import { isCommand } from './find-command.ts';
import { embeddedEngines, type EmbeddedEngines } from './jar-cache.ts';
import { javaOptions } from './java-options.ts';

const heapMebibytes = 512;

/** The folder of Elastic's packages. */
const usualHome = '/usr/share/elasticsearch';

const logSettings = fileURLToPath(new URL('../../java/elasticsearch/log4j2.properties', import.meta.url));

/** An installed distribution, else the same server from Maven. */
export const elasticsearchEngine: EngineKind = {
  name: 'elasticsearch',
  title: 'Elasticsearch',
  ports: ['http', 'transport'],

  async find(options) {
    const server = join(options.environment['ES_HOME'] ?? usualHome, 'bin/elasticsearch');
    if (isCommand(server)) {
      if (process.getuid?.() !== 0) return async (place, all) => installed(server, { place, all }, options);
      options.progress(`Elasticsearch: ${server} refuses to run as root, using the embedded one`);
    }
    return findEmbeddedElasticsearch(options);
  },

  async ping(url) {
    await askElasticsearch(url, '_cluster/health?wait_for_status=yellow&timeout=2s');
    const answer = await askElasticsearch(url, '_nodes/_local?filter_path=nodes.*.version').catch(() => '');
    return /"version":"([^"]+)"/.exec(answer)?.[1];
  },
};

/** Three nodes of which one can be lost. */
export const elasticsearchClusterKind: EngineKind = {
  ...elasticsearchEngine,
  nodes: ['elasticsearch-1', 'elasticsearch-2', 'elasticsearch-3'],
};

/** The server from Maven, fetched at the first use: that of this checkout, or of another one with its `stack/java`. */
export async function findEmbeddedElasticsearch(options: StartOptions, sources?: string): Promise<Launcher> {
  const engines = await embeddedEngines('elasticsearch', options, sources);
  return async (place, all) => embedded(engines, { place, all }, options);
}

/** A server, and all servers of the engine. */
interface Paths {
  readonly place: ServerPaths;
  readonly all: readonly ServerPaths[];
}

/** Settings by which the nodes find each other and elect the first master. */
function discoveryOf(all: readonly ServerPaths[]): Record<string, string> {
  if (all.length === 1) return { 'discovery.type': 'single-node' };
  return {
    'discovery.seed_hosts': all.map(({ ports }) => `127.0.0.1:${ports['transport']}`).join(','),
    'cluster.initial_master_nodes': all.map(({ name }) => name).join(','),
  };
}

function settingsOf({ place, all }: Paths, origin: Launch['origin']): Record<string, string> {
  return {
    'cluster.name': 'covalence',
    'node.name': place.name,
    ...discoveryOf(all),
    'network.host': '127.0.0.1',
    'http.port': String(place.ports['http']),
    'transport.port': String(place.ports['transport']),
    'path.data': join(place.folder, origin),
    'path.logs': join(place.folder, 'logs'),
    // A developer's disk is often fuller than the thresholds; the stack checks free space itself.
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
  };
}

function prepareFolders(place: ServerPaths): { configuration: string; temporary: string } {
  const configuration = join(place.folder, 'config');
  const temporary = join(place.folder, 'tmp');
  mkdirSync(configuration, { recursive: true });
  mkdirSync(temporary, { recursive: true });
  return { configuration, temporary };
}

function launchOf(
  place: ServerPaths,
  launch: Pick<Launch, 'origin' | 'command' | 'args' | 'environment'>,
): Launch {
  const port = place.ports['http'] ?? 0;
  return { ...launch, url: `http://127.0.0.1:${port}`, port };
}

function installed(server: string, paths: Paths, options: StartOptions): Launch {
  const { place } = paths;
  const { configuration, temporary } = prepareFolders(place);
  writeFileSync(join(configuration, 'elasticsearch.yml'), '');
  writeFileSync(join(configuration, 'jvm.options'), `-Xms${heapMebibytes}m\n-Xmx${heapMebibytes}m\n`);
  copyFileSync(logSettings, join(configuration, 'log4j2.properties'));
  const settings = {
    ...settingsOf(paths, 'installed'),
    'xpack.security.enabled': 'false',
    'xpack.ml.enabled': 'false',
    'ingest.geoip.downloader.enabled': 'false',
  };
  return launchOf(place, {
    origin: 'installed',
    command: server,
    args: Object.entries(settings).flatMap(([name, value]) => ['-E', `${name}=${value}`]),
    environment: { ...options.environment, ES_PATH_CONF: configuration, ES_TMPDIR: temporary },
  });
}

function embedded({ folder, java }: EmbeddedEngines, paths: Paths, options: StartOptions): Launch {
  const { place } = paths;
  const { configuration, temporary } = prepareFolders(place);
  const home = join(folder, 'elasticsearch');
  const machine = javaOptions({
    heapMebibytes,
    javaVersion: java.version,
    temporaryFolder: temporary,
    own: options.environment['ES_JAVA_OPTS'],
  });
  const settings = {
    ...settingsOf(paths, 'embedded'),
    'path.home': home,
    // With the serial collector, garbage counts as memory in use: searches would be refused after many writes.
    'indices.breaker.total.use_real_memory': 'false',
  };
  return launchOf(place, {
    origin: 'embedded',
    command: join(java.home, 'bin/java'),
    args: [
      ...machine,
      `-Dlog4j2.configurationFile=${logSettings}`,
      '--enable-native-access=org.elasticsearch.nativeaccess,org.apache.lucene.core',
      '--module-path',
      join(home, 'lib'),
      '--add-modules=ALL-MODULE-PATH',
      '-cp',
      join(folder, 'launcher'),
      'covalence.ElasticsearchLauncher',
      configuration,
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ],
    environment: options.environment,
  });
}
