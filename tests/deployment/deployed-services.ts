import { choosePorts } from '@covalence/stack/engines/free-ports';
import { run } from '@covalence/testing/tools';
import { until } from '@covalence/testing/until';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { containerOf, environmentOf } from './environment.ts';
import { manifests, read, root, type Manifest } from './files.ts';
import { services } from './speaks-to.ts';

/** Every command that runs in an image: its own and those of jobs. */
const commandsOf = (service: string) => {
  const jobs = manifests('k8s/base/jobs.yaml').map(containerOf);
  const args = jobs.flatMap(({ image, args: given = [] }) => (image === `covalence/${service}` ? given : []));
  return new Set(['dist/main.js', ...args.filter((arg) => arg.startsWith('dist/'))]);
};

/** The instructions of a stage of the Dockerfile. */
export const stageOf = (name: string): string =>
  read('Dockerfile')
    .split(/^(?=FROM )/m)
    .find((stage) => stage.split('\n')[0]?.endsWith(` AS ${name}`)) ?? '';

const wordsOf = (stage: string, instruction: string): string[] => {
  const [, words = '[]'] = new RegExp(`^${instruction} (.+)$`, 'm').exec(stageOf(stage)) ?? [];
  return JSON.parse(words) as string[];
};

/** The command line prefix of an image, without the program. */
export const entryArguments = (): string[] => wordsOf('image', 'ENTRYPOINT').slice(1);

/** The default command of an image of a service, or of `cli`. */
export const defaultCommand = (stage: 'service' | 'cli'): string[] => wordsOf(stage, 'CMD');

/** The environment of a pod on this machine; no store or other service is reachable. */
async function environment(deployment: Manifest): Promise<Record<string, string>> {
  const { managementPort } = await choosePorts(['managementPort'], {});
  const given = Object.entries(environmentOf(deployment)).map(([name, value]) => [
    name,
    value.replace(/^(\w+:\/\/)\w+:\d+$/, '$1127.0.0.1:1'),
  ]);
  return {
    ...Object.fromEntries(given),
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: String(managementPort),
    SITES_FILE: join(root, 'config/sites.json'),
    NODE_ENV: 'production',
  };
}

/** Starts the program of an image and stops it once it is live. */
async function live(service: string, folder: string) {
  const [deployment] = manifests(`k8s/base/${service}.yaml`);
  if (!deployment) throw new Error(`${service} has no manifest`);
  const env = await environment(deployment);
  const address = `http://127.0.0.1:${env['MANAGEMENT_PORT']}/health/live`;
  const args = ['--max-old-space-size-percentage=50', ...entryArguments(), ...defaultCommand('service')];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 4_000)));
  try {
    await until(`${service} to live`, async () => child.exitCode !== null || (await fetch(address)).ok);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
  } catch (error) {
    throw new Error(`${service}, from what its image holds: ${String(error)}\n${said}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
  }
}

/** Runs the `cli` image, which loads the commands of every service and prints its help. */
async function printsHelp(folder: string) {
  await run(process.execPath, [...entryArguments(), ...defaultCommand('cli')], { cwd: folder });
}

/** Assembles the content of an image from the current build, as the Dockerfile does. */
async function assemble(service: string, folder: string): Promise<string> {
  const image = join(folder, service);
  const deploy = [
    '--filter',
    `@covalence/${service}`,
    'deploy',
    '--prod',
    '--offline',
    '--trust-lockfile',
    image,
  ];
  await run('pnpm', deploy, { cwd: root, env: { ...process.env, CI: 'true' } });
  for (const [, file = ''] of stageOf('build').matchAll(/ \/service\/(\S+)/g)) rmSync(join(image, file));
  return image;
}

/** The mode of a file, and what it holds or leads to. */
function stateOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  const content = stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
  return `${stats.mode} ${content}`;
}

/** Every file and folder within a folder, with its state. */
const treeOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => [
      file,
      stateOf(join(folder, file)),
    ]),
  );

/** Assembles an image twice and compares every file. Both folders are at the same depth, which links to patches depend on. */
async function assemblesEqually(service: string, folder: string): Promise<void> {
  const one = treeOf(await assemble(service, join(folder, 'one')));
  const two = treeOf(await assemble(service, join(folder, 'two')));
  const differing = [...new Set([...one.keys(), ...two.keys()])].filter(
    (file) => one.get(file) !== two.get(file),
  );
  if (differing.length)
    throw new Error(`${service}: two builds differ in ${differing.slice(0, 5).join(', ')}`);
}

/**
 * Starts what each image has: a program that misses a file exits before it listens or prints. Needs no stores.
 */
export async function startDeployedServices(folder: string): Promise<void> {
  for (const service of services) {
    const image = await assemble(service, folder);
    const missing = [...commandsOf(service)].filter((command) => !existsSync(join(image, command)));
    if (missing.length > 0) throw new Error(`${service}: no ${missing.join(', ')} in its image`);
    await live(service, image);
  }
  await printsHelp(await assemble('cli', folder));
  await assemblesEqually('gateway', folder);
}
