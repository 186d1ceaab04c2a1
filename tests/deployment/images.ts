import { run } from '@covalence/testing/tools';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './files.ts';
import { services } from './speaks-to.ts';

/** The instructions of a stage of the Dockerfile. */
export const stageOf = (name: string): string =>
  read('Dockerfile')
    .split(/^(?=FROM )/m)
    .find((stage) => stage.split('\n')[0]?.endsWith(` AS ${name}`)) ?? '';

/** Assembles the content of an image from a build, as the Dockerfile does. */
async function assemble(service: string, source: string, folder: string): Promise<string> {
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
  await run('pnpm', deploy, { cwd: source, env: { ...process.env, CI: 'true' } });
  for (const [, file = ''] of stageOf('build').matchAll(/ \/service\/(\S+)/g)) rmSync(join(image, file));
  return image;
}

/** Files and folders by path, with what they hold. */
type Tree = ReadonlyMap<string, string>;

/** The mode of a file, and what it holds or leads to. */
function stateOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  const content = stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
  return `${stats.mode} ${content}`;
}

const treeOf = (folder: string, name: string): [path: string, state: string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => [
    `${name}/${file}`,
    stateOf(join(folder, file)),
  ]);

/** Assembles every image from a build, each in a folder of its name. */
export async function assembleAll(source: string, folder: string): Promise<Tree> {
  const trees = [];
  for (const service of [...services, 'cli'])
    trees.push(treeOf(await assemble(service, source, folder), service));
  return new Map(trees.flat());
}

/** The commands of a stage that `pnpm` runs for the whole workspace. */
const commandOf = (stage: string, begin: string): string => {
  const [, command] = new RegExp(`^RUN (${begin}(?:.*\\\\\n)*.*)$`, 'm').exec(stageOf(stage)) ?? [];
  if (!command) throw new Error(`the stage ${stage} of the Dockerfile does not run ${begin}`);
  return command;
};

/** Builds the commit from nothing, with the console: always at the same place, because the names of linked packages hold it. */
export async function buildCommit(folder: string): Promise<Tree> {
  const source = join(folder, 'source');
  const images = join(folder, 'images');
  const archive = join(folder, 'commit.tar');
  const env = { ...process.env, CI: 'true' };
  try {
    mkdirSync(source);
    await run('git', ['archive', '--output', archive, 'HEAD'], { cwd: root });
    await run('tar', ['--extract', '--file', archive, '--directory', source]);
    await run('sh', ['-c', commandOf('build', 'pnpm install')], { cwd: source, env });
    await run('sh', ['-c', commandOf('console', 'pnpm --filter')], { cwd: source, env });
    const console = treeOf(join(source, 'apps/console/dist'), 'console');
    return new Map([...(await assembleAll(source, images)), ...console]);
  } finally {
    for (const made of [source, images, archive]) rmSync(made, { recursive: true, force: true });
  }
}

/** Throws if two builds do not have the same files. */
export function assertEqual(one: Tree, two: Tree): void {
  const differing = [...new Set([...one.keys(), ...two.keys()])].filter(
    (file) => one.get(file) !== two.get(file),
  );
  if (differing.length)
    throw new Error(
      `two builds differ in ${differing.length} files, such as ${differing.slice(0, 5).join(', ')}`,
    );
}
