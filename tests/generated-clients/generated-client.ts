import { cacheFolder } from '@covalence/stack/engines/cache-folder';
import { findCommand } from '@covalence/stack/engines/find-command';
import { findJava } from '@covalence/stack/engines/java-home';
import { runCommand } from '@covalence/stack/engines/run-command';
import { patiently, pythonWith } from '@covalence/testing/python';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brief, type Command, type Language, type Tools } from './languages.ts';

const here = import.meta.dirname;
const document = join(here, '../../gateway/documents/openapi.json');
const cache = cacheFolder('clients', process.env);
const keptMs = 7 * 24 * 60 * 60 * 1000;
const longestMs = 10 * 60_000;

/** The tools, and the jar of OpenAPI Generator. */
export interface Kit extends Tools {
  readonly generator: string;
}

/** Runs a command; resolves with its output, and rejects with it. */
export async function run(
  { program, args, env }: Command,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const environment = { ...process.env, ...env, ...more };
  const { ok, output } = await runCommand(program, args, { environment, milliseconds: longestMs });
  if (!ok) throw new Error(`${program} failed:\n${output.slice(0, 4_000)}`);
  return output;
}

const hashOf = (...files: readonly string[]) =>
  files
    .reduce((hash, file) => hash.update(readFileSync(file)).update('\0'), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);

/** The folder of that name in the cache; `make` fills it first if it is missing. Nothing of an interrupted run is used. */
async function cached(name: string, make: (draft: string) => Promise<unknown>): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await make(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Deletes what earlier versions of the document left of a language. */
function forgetOld(language: string): void {
  for (const name of readdirSync(cache).filter((one) => one.startsWith(language))) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

async function fetchJars(folder: string): Promise<void> {
  const program = findCommand(['mvn'], process.env);
  if (program === undefined) throw new Error('This test fetches jars: install Maven.');
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  const options = ['--batch-mode', '--quiet', '--strict-checksums', '--file', join(here, 'pom.xml')];
  await patiently(() => run({ program, args: [...options, ...goal] }));
}

const isGenerator = (jar: string) => jar.includes('openapi-generator-cli');

/** Fetches the tools into the user's cache folder, unless they are there. */
export async function fetchKit(): Promise<Kit> {
  const pom = join(here, 'pom.xml');
  const folder = await cached(`jars-${hashOf(pom)}`, fetchJars);
  const jars = readdirSync(folder).map((name) => join(folder, name));
  return {
    java: findJava(process.env).home,
    generator: jars.find(isGenerator) ?? '',
    jars: jars.filter((jar) => !isGenerator(jar)),
    python: await pythonWith(join(here, 'requirements.txt')),
  };
}

/** Generates a client and compiles it with its journey, unless the same was compiled before. Resolves with its folder. */
export async function generatedClient(name: string, language: Language, kit: Kit): Promise<string> {
  const { options, journey, compile } = language;
  const source = join(here, 'journeys', journey);
  const inputs = ['pom.xml', 'requirements.txt', 'languages.ts'].map((file) => join(here, file));
  return cached(`${name}-${hashOf(document, source, ...inputs)}`, async (folder) => {
    forgetOld(name);
    const generate = [
      ...brief,
      '-jar',
      kit.generator,
      'generate',
      '-i',
      document,
      '-o',
      join(folder, 'client'),
      ...options,
    ];
    await run({ program: join(kit.java, 'bin/java'), args: generate });
    cpSync(source, join(folder, journey));
    mkdirSync(join(folder, 'classes'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    await run(compile(folder, kit));
  });
}
