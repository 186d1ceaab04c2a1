import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '@covalence/runtime/command-error';
import { findCommand, isCommand } from './find-command.ts';

const oldestVersion = 21;

/** A JDK. */
export interface JavaKit {
  readonly home: string;
  readonly version: number;
}

/** Folders that contain JDKs. */
const usualFolders = ['/usr/lib/jvm', '/usr/java', '/opt', '/opt/java'];

/**
 * The JDK of JAVA_HOME if it is recent enough, else the newest on the machine.
 * @throws CommandError when there is none of version 21 or later.
 */
export function findJava(
  environment: Record<string, string | undefined>,
  homes: readonly string[] = homesOnMachine(environment),
): JavaKit {
  const named = environment['JAVA_HOME'] === undefined ? undefined : kitAt(environment['JAVA_HOME']);
  if (named !== undefined) return named;
  const newest = homes.flatMap((home) => kitAt(home) ?? []).sort((a, b) => b.version - a.version)[0];
  if (newest !== undefined) return newest;
  throw new CommandError(
    `No JDK ${oldestVersion} or newer: install one with javac (for example openjdk-${oldestVersion}-jdk-headless or Temurin 25) and set JAVA_HOME to it, or set MONGODB_URL and ELASTICSEARCH_URL`,
  );
}

function homesOnMachine(environment: Record<string, string | undefined>): string[] {
  const compiler = findCommand(['javac'], environment);
  const home = environment['HOME'] ?? '';
  const own = [join(home, '.sdkman/candidates/java'), join(home, '.jdks')];
  const kits = [...usualFolders, ...own].flatMap(foldersIn);
  const onPath = compiler === undefined ? [] : [dirname(dirname(realpathSync(compiler)))];
  return [...onPath, ...kits];
}

function foldersIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function kitAt(home: string): JavaKit | undefined {
  if (!isCommand(join(home, 'bin/javac')) || !isCommand(join(home, 'bin/java'))) return undefined;
  const release = join(home, 'release');
  if (!existsSync(release)) return undefined;
  const version = Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1]);
  return version >= oldestVersion ? { home, version } : undefined;
}
