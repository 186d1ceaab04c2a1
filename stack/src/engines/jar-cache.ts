import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandError } from '@covalence/runtime/command-error';
import { cacheFolder } from './cache-folder.ts';
import { requireCommand } from './debian-packages.ts';
import { requireDiskSpace } from './disk-space.ts';
import type { StartOptions } from './engine.ts';
import { compileLaunchers } from './java-launchers.ts';
import { findJava, type JavaKit } from './java-home.ts';
import { runCommand } from './run-command.ts';
import { withLock } from './socket-lock.ts';

const attempts = 3;
const attemptMilliseconds = 10 * 60_000;
const pauseMilliseconds = 1_000;
const longestProblem = 400;

/** The pom.xml, checksums and launcher sources. */
const javaFolder = fileURLToPath(new URL('../../java/', import.meta.url));

/** The folders of each jar; the first match counts. */
const placement: readonly (readonly [jars: RegExp, folders: readonly string[]])[] = [
  [/^(mongo-java-server|h2-|slf4j-api-)/, ['mongodb/lib']],
  [/^netty-/, ['mongodb/lib', 'elasticsearch/modules/transport-netty4']],
  [/^(transport-netty4-|elasticsearch-ssl-config-)/, ['elasticsearch/modules/transport-netty4']],
  [/./, ['elasticsearch/lib']],
];

type Checksums = ReadonlyMap<string, string>;

/** The cached embedded engines, and their JDK. */
export interface EmbeddedEngines {
  readonly folder: string;
  readonly java: JavaKit;
}

/**
 * Fetches the jars and compiles the launchers of an embedded engine, unless they are cached. Checks every jar against
 * its checksum at each start. `sources` is `stack/java` of this checkout or of another one.
 * @throws CommandError when the JDK, Maven, the network or disk space is missing.
 */
export async function embeddedEngines(
  part: 'mongodb' | 'elasticsearch',
  options: StartOptions,
  sources: string = javaFolder,
): Promise<EmbeddedEngines> {
  const java = findJava(options.environment);
  const cache = cacheFolder('engines', options.environment);
  const folder = join(cache, versionOf(sources));
  const pinned = pinnedJars(sources);
  if (await isComplete(folder, part, pinned)) return { folder, java };
  await withLock(folder, options.signal, async () => {
    if (await isComplete(folder, part, pinned)) return;
    await requireDiskSpace(cache);
    const draft = `${folder}.${process.pid}.new`;
    try {
      await fetchJars(draft, { sources, pinned }, java, options);
      await compileLaunchers(sources, draft, java, options);
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
  return { folder, java };
}

/** Hash of the sources, so that each version has its own folder. */
function versionOf(sources: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    hash
      .update(`${path.slice(sources.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** The checksum of every jar by file name. */
function pinnedJars(sources: string): Checksums {
  const lines = readFileSync(join(sources, 'jars.sha256'), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [checksum, name] = line.split(/\s+/);
      return checksum && name ? [[name, checksum]] : [];
    }),
  );
}

function placesOf(jar: string): readonly string[] {
  return placement.find(([jars]) => jars.test(jar))?.[1] ?? [];
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch {
    return 'unreadable';
  }
  return hash.digest('hex');
}

async function isComplete(folder: string, part: string, pinned: Checksums): Promise<boolean> {
  for (const [jar, checksum] of pinned) {
    for (const place of placesOf(jar).filter((path) => path.startsWith(`${part}/`))) {
      if ((await checksumOf(join(folder, place, jar))) !== checksum) return false;
    }
  }
  return true;
}

async function fetchJars(
  folder: string,
  { sources, pinned }: { readonly sources: string; readonly pinned: Checksums },
  java: JavaKit,
  options: StartOptions,
): Promise<void> {
  const maven = await requireCommand({
    title: 'Maven',
    commands: ['mvn'],
    package: 'maven',
    variable: 'MONGODB_URL and ELASTICSEARCH_URL',
    options,
  });
  options.progress('Elasticsearch and the embedded database: fetching jars with Maven (50 MB, only once)');
  const fetched = join(folder, 'fetched');
  let problem: string | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (problem !== undefined) {
      options.progress(`Maven: ${problem}; retrying`);
      await delay(pauseMilliseconds, undefined, { signal: options.signal });
    }
    await rm(folder, { recursive: true, force: true });
    await mkdir(fetched, { recursive: true });
    // Further attempts bypass the user's local repository, which may contain a broken file.
    const repository = attempt === 1 ? [] : [`-Dmaven.repo.local=${join(folder, 'repository')}`];
    const given = ['--file', join(sources, 'pom.xml'), ...repository];
    problem = (await runMaven(maven, fetched, given, java, options)) ?? (await compareJars(fetched, pinned));
    if (problem === undefined) break;
  }
  if (problem !== undefined) {
    throw new CommandError(
      `Maven cannot fetch the embedded engines: ${problem}; check the network and Maven's settings.xml, or set MONGODB_URL and ELASTICSEARCH_URL`,
    );
  }
  await placeJars(fetched, folder);
  await rm(join(folder, 'repository'), { recursive: true, force: true });
}

/** Resolves with the error, if any. */
async function runMaven(
  maven: string,
  target: string,
  given: readonly string[],
  java: JavaKit,
  options: StartOptions,
): Promise<string | undefined> {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${target}`];
  const quiet = ['--batch-mode', '--quiet', '-Dstyle.color=never'];
  const { ok, output } = await runCommand(maven, [...quiet, ...given, ...goal], {
    environment: { ...options.environment, JAVA_HOME: java.home },
    milliseconds: attemptMilliseconds,
    signal: options.signal,
  });
  if (ok) return undefined;
  const lines = output.split('\n').map((line) => line.trim());
  const errors = lines
    .filter((line) => /^\[ERROR\] \S/.test(line))
    .map((line) => line.replace('[ERROR] ', ''));
  return (errors[0] ?? lines.find((line) => line !== '') ?? 'no output').slice(0, longestProblem);
}

/** Resolves with the first difference between the fetched and the pinned jars. */
async function compareJars(fetched: string, pinned: Checksums): Promise<string | undefined> {
  const names = await readdir(fetched);
  const unknown = names.find((name) => !pinned.has(name));
  if (unknown !== undefined) return `${unknown} is not a pinned jar`;
  for (const [jar, checksum] of pinned) {
    if (!names.includes(jar)) return `${jar} is missing`;
    if ((await checksumOf(join(fetched, jar))) !== checksum)
      return `${jar} does not have its pinned checksum`;
  }
  return undefined;
}

async function placeJars(fetched: string, folder: string): Promise<void> {
  for (const jar of await readdir(fetched)) {
    for (const place of placesOf(jar)) {
      const target = join(folder, place, jar);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(fetched, jar), target);
    }
  }
  await rm(fetched, { recursive: true, force: true });
}
