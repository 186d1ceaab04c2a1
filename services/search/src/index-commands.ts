import type { SearchContext } from './context.ts';
import { rebuildIndex } from './index/rebuild.ts';

/** Writes one line of a command's output. */
export type Print = (line: string) => void;

type Command = (context: SearchContext, print: Print) => Promise<void>;

const create: Command = async ({ keeper, versions }, print) => {
  await keeper.look();
  const live = await versions.live();
  print(`live: ${live?.index}`);
};

const rebuild: Command = async ({ namespace, versions, members, profile }, print) => {
  const started = performance.now();
  const onProgress = (copied: number) => print(`${copied} members`);
  const done = await rebuildIndex({ namespace, versions, members, profile, onProgress });
  const seconds = (performance.now() - started) / 1_000;
  print(`live: ${done.to.index}, ${done.members} members in ${seconds.toFixed(1)} s`);
  if (done.from) print(`kept: ${done.from}`);
};

const status: Command = async ({ versions, mapping }, print) => {
  const [live, building, all] = await Promise.all([versions.live(), versions.building(), versions.list()]);
  if (!live) return print('live: none');
  const counts = await versions.count(live.index);
  print(
    `live: ${live.index}, mapping version ${live.mapping_version}, ${live.filled ? 'complete' : 'filling'}`,
  );
  print(`documents: ${counts.all}, of them visible: ${counts.visible}`);
  const current = live.fingerprint === mapping.fingerprint;
  print(`mapping: ${current ? 'as configured' : `configured is version ${mapping.version}: rebuild needed`}`);
  if (building) print(`building: ${building.index}`);
  for (const index of all) if (index !== live.index && index !== building?.index) print(`kept: ${index}`);
};

const drop: Command = async ({ versions }, print) => {
  for (const index of await versions.dropOld()) print(`dropped: ${index}`);
};

const commands: Readonly<Record<string, Command>> = { create, rebuild, status, drop };

/** The commands of the index tool, by what each does. */
export const indexUsage = [
  'create   creates the first index and fills it from the profile service',
  'rebuild  builds a new index beside the live one and swaps them',
  'status   shows which index is live, what it holds and whether its mapping is the configured one',
  'drop     deletes indices that are neither live nor being built',
];

/** Runs one command; false where there is none of that name. */
export async function runIndexCommand(name: string, context: SearchContext, print: Print): Promise<boolean> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return false;
  await command(context, print);
  return true;
}
