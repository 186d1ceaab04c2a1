import { choosePorts } from '@covalence/stack/engines/free-ports';
import { run } from '@covalence/testing/tools';
import { until } from '@covalence/testing/until';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { containerOf, environmentOf } from './environment.ts';
import { manifests, root, type Manifest } from './files.ts';
import { assembleAll, assertEqual, buildCommit, stageOf } from './images.ts';
import { services } from './speaks-to.ts';

/** Every command that runs in an image: its own and those of jobs. */
const commandsOf = (service: string) => {
  const jobs = manifests('k8s/base/jobs.yaml').map(containerOf);
  const args = jobs.flatMap(({ image, args: given = [] }) => (image === `covalence/${service}` ? given : []));
  return new Set(['dist/main.js', ...args.filter((arg) => arg.startsWith('dist/'))]);
};

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

/**
 * Assembles each image twice, compares them, and starts what they have: a program that misses a file exits before it listens or
 * prints. Needs no stores. If it may take minutes, the commit is also built twice.
 */
export async function startDeployedServices(folder: string, mayBuild: boolean): Promise<void> {
  // At the same depth, which links to patches depend on.
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  assertEqual(await assembleAll(root, one), await assembleAll(root, two));
  for (const service of services) {
    const image = join(one, service);
    const missing = [...commandsOf(service)].filter((command) => !existsSync(join(image, command)));
    if (missing.length > 0) throw new Error(`${service}: no ${missing.join(', ')} in its image`);
    await live(service, image);
  }
  await printsHelp(join(one, 'cli'));
  if (mayBuild) assertEqual(await buildCommit(folder), await buildCommit(folder));
}
