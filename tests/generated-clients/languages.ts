import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program with its arguments, and additional environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Tools that compile and run the clients. */
export interface Tools {
  /** A JDK. */
  readonly java: string;
  /** The jars of pom.xml without the generator. */
  readonly jars: readonly string[];
  /** A Python interpreter with the packages of requirements.txt. */
  readonly python: string;
}

/** One language: how its client is generated, compiled and run. */
export interface Language {
  /** Options of OpenAPI Generator. */
  readonly options: readonly string[];
  /** The file in `journeys/`. */
  readonly journey: string;
  /** Compiles a folder with the journey and the client in `client/`. */
  readonly compile: (folder: string, tools: Tools) => Command;
  readonly run: (folder: string, tools: Tools) => Command;
}

const root = join(import.meta.dirname, '../..');

/** For programs that run once, for seconds. */
export const brief = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

const plugin = /kotlin-serialization-compiler-plugin/;

/** Jars of the Kotlin compiler, which no client needs. */
const ofCompiler = /kotlin-(compiler|serialization|daemon|build|script)/;

const classPath = (folder: string, { jars }: Tools) =>
  [join(folder, 'classes'), ...jars.filter((jar) => !ofCompiler.test(jar))].join(delimiter);

const runJvm = (folder: string, tools: Tools, main: string): Command => ({
  program: join(tools.java, 'bin/java'),
  args: [...brief, '-cp', classPath(folder, tools), main],
});

const javaFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name));

/** Imports every module, because Python finds a fault of a class only when it is loaded. */
const importAll = `
import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'):
    importlib.import_module(module.name)
`;

/** The languages whose clients are tested. docs/clients.md names the same options. */
export const languages: Readonly<Record<string, Language>> = {
  kotlin: {
    options: ['-g', 'kotlin', '--library', 'multiplatform', '-p', 'dateLibrary=kotlinx-datetime'],
    journey: 'Journey.kt',
    // The common source set, with the dependencies for the JVM.
    compile: (folder, tools) => ({
      program: join(tools.java, 'bin/java'),
      // oxfmt-ignore
      args: [
        ...brief, '-Xmx2g', '-cp', tools.jars.join(delimiter), 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler',
        '-no-stdlib', '-no-reflect', '-nowarn', '-jvm-target', '21', '-cp', classPath(folder, tools),
        `-Xplugin=${tools.jars.find((jar) => plugin.test(jar)) ?? ''}`, '-d', join(folder, 'classes'),
        join(folder, 'client/src/commonMain'), join(folder, 'Journey.kt'),
      ],
    }),
    run: (folder, tools) => runJvm(folder, tools, 'JourneyKt'),
  },
  java: {
    options: ['-g', 'java', '--library', 'native'],
    journey: 'Journey.java',
    compile: (folder, tools) => ({
      program: join(tools.java, 'bin/javac'),
      // oxfmt-ignore
      args: [
        ...brief.map((option) => `-J${option}`), '-proc:none', '-nowarn', '-encoding', 'UTF-8',
        '-cp', classPath(folder, tools), '-d', join(folder, 'classes'),
        ...javaFiles(join(folder, 'client/src/main/java')), join(folder, 'Journey.java'),
      ],
    }),
    run: (folder, tools) => runJvm(folder, tools, 'Journey'),
  },
  python: {
    options: ['-g', 'python'],
    journey: 'journey.py',
    compile: (folder, { python }) => ({
      program: python,
      args: ['-c', importAll],
      env: { PYTHONPATH: join(folder, 'client') },
    }),
    run: (folder, { python }) => ({
      program: python,
      args: [join(folder, 'journey.py')],
      env: { PYTHONPATH: join(folder, 'client') },
    }),
  },
  typescript: {
    options: ['-g', 'typescript-fetch', '-p', 'importFileExtension=.js'],
    journey: 'journey.ts',
    compile: (folder) => ({
      program: join(root, 'node_modules/.bin/tsc'),
      // oxfmt-ignore
      args: [
        '--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--skipLibCheck',
        '--types', 'node', '--typeRoots', join(root, 'node_modules/@types'),
        '--rootDir', folder, '--outDir', join(folder, 'classes'), join(folder, 'journey.ts'),
      ],
    }),
    run: (folder) => ({ program: process.execPath, args: [join(folder, 'classes/journey.js')] }),
  },
};
