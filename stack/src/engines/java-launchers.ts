import { readdirSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CommandError } from '@covalence/runtime/command-error';
import type { StartOptions } from './engine.ts';
import type { JavaKit } from './java-home.ts';
import { runCommand } from './run-command.ts';

/** The oldest Java version that runs the launchers. */
const release = '21';
const compileMilliseconds = 2 * 60_000;

/** The compiler runs too briefly for thorough compilation to pay. */
const quick = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];

/** The project's Elasticsearch module, which must be a jar, and the folder of its package. */
const ourModule = { name: 'covalence-analysis', classes: 'covalence/analysis' };

/**
 * Compiles the launchers into `launcher/` of a folder with the jars, and the module into `elasticsearch/modules`.
 * @throws CommandError with the first line of the compiler.
 */
export async function compileLaunchers(
  sources: string,
  folder: string,
  java: JavaKit,
  options: StartOptions,
): Promise<void> {
  const modules = join(folder, 'elasticsearch/modules');
  const launcher = join(folder, 'launcher');
  const classPath = ['mongodb/lib/*', 'elasticsearch/lib/*']
    .map((jars) => join(folder, jars))
    .join(delimiter);
  const flags = [
    '--release',
    release,
    '-proc:none',
    '-nowarn',
    '-encoding',
    'UTF-8',
    '-cp',
    classPath,
    '-d',
    launcher,
  ];
  await run(java, 'javac', [...quick, ...flags, ...javaFilesIn(sources)], options);

  const { name, classes } = ourModule;
  await mkdir(join(modules, name), { recursive: true });
  const jar = join(modules, name, `${name}.jar`);
  await run(java, 'jar', ['--create', '--file', jar, '-C', launcher, classes], options);
  await rm(join(launcher, classes), { recursive: true });
  for (const module of ['transport-netty4', name]) {
    const descriptor = join(modules, module, 'plugin-descriptor.properties');
    await copyFile(join(sources, 'elasticsearch', `${module}.properties`), descriptor);
  }
}

function javaFilesIn(sources: string): string[] {
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.java')).map((name) => join(sources, name));
}

async function run(
  java: JavaKit,
  tool: string,
  args: readonly string[],
  options: StartOptions,
): Promise<void> {
  const { ok, output } = await runCommand(join(java.home, 'bin', tool), args, {
    environment: options.environment,
    milliseconds: compileMilliseconds,
    signal: options.signal,
  });
  if (!ok) throw new CommandError(`${tool} of ${java.home} failed: ${output.split('\n')[0] ?? ''}`);
}
