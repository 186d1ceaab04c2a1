import type { Output } from '@covalence/runtime/command';
import type { Clock } from '@covalence/runtime/clock';
import { pluralize } from '@covalence/runtime/pluralize';
import { setTimeout as wait } from 'node:timers/promises';
import { compareSample, repairIndex, type Difference } from './compare-members.ts';
import { asConfigured, indexState } from './index-state.ts';
import { buildShadow, dropOthers, rebuildIndex, rollBackIndex } from './rebuild.ts';
import type { SearchIndex } from '../search-index.ts';

/** Writes one line of a command's output. */
type Print = Output['line'];

/** Dependencies of the commands. */
export interface IndexContext {
  readonly index: SearchIndex;
  readonly clock: Clock;
}

interface CommandContext extends IndexContext {
  /** Interrupts a rebuild or rollback before the swap. */
  readonly interrupted?: AbortSignal | undefined;
}

/** Resolves with whether nothing is left to do; `report` receives the result as a value, for `--json`. */
type Command = (context: CommandContext, print: Print, report: Output['data']) => Promise<boolean>;

/** Members that `verify` and `status` compare. */
const samples = { verify: 5_000, status: 500 };

/** Differences that `verify` lists. */
const shown = 10;

/** Interval between two checks of an index that another process fills, ms. */
const checkMs = 1_000;

/** Waits until the index is complete, also if another process fills it: the gateway of the compose file depends on that. */
const create: Command = async ({ index: { reconciler, versions, pauseMs = checkMs } }, print, report) => {
  for (let first = true; ; first = false) {
    await reconciler.reconcile();
    const live = await versions.live();
    if (live?.filled) {
      print(`live: ${live.index}`);
      report({ live: live.index });
      return true;
    }
    if (first) print('another process is filling the index: waiting for it');
    await wait(pauseMs);
  }
};

/** Prints the members whose projection profile cannot make; returns whether there are none. */
function noneBroken(broken: readonly number[], print: Print): boolean {
  const named = [...broken.slice(0, shown), ...(broken.length > shown ? ['…'] : [])].join(', ');
  if (broken.length)
    print(
      `profile cannot render the projection of ${pluralize(broken.length, 'member')}, its log says why: ${named}`,
    );
  return !broken.length;
}

const rebuild: Command = async ({ index, interrupted }, print, report) => {
  const started = performance.now();
  const onProgress = (copied: number) => print(pluralize(copied, 'member'));
  const { from, to, members, compared, broken } = await rebuildIndex(index, { onProgress, interrupted });
  const seconds = (performance.now() - started) / 1_000;
  print(`live: ${to.index}, ${pluralize(members, 'member')} in ${seconds.toFixed(1)} s`);
  print(`compared before the swap: counts, and ${pluralize(compared, 'member')} one by one`);
  if (from) print(`kept for rollback: ${from}`);
  report({ live: to.index, kept: from, members, seconds, broken });
  return noneBroken(broken, print);
};

const shadow: Command = async ({ index, clock, interrupted }, print, report) => {
  const onProgress = (copied: number) => print(pluralize(copied, 'member'));
  const { shadow: built, members, broken } = await buildShadow(index, clock(), { onProgress, interrupted });
  print(`shadow: ${built.index}, mapping version ${built.mapping_version}, ${pluralize(members, 'member')}`);
  print(`deleted by the next rebuild or drop, at the latest ${built.expires}`);
  report({ shadow: built.index, members, broken, expires: built.expires });
  return noneBroken(broken, print);
};

const rollback: Command = async ({ index, interrupted }, print, report) => {
  const { to, repaired, broken } = await rollBackIndex(index, { interrupted });
  print(`live: ${to.index}, ${pluralize(repaired, 'document')} brought up to date before the swap`);
  report({ live: to.index, repaired, broken });
  return noneBroken(broken, print);
};

const comparedToLive = (index: SearchIndex) => ({ ...index, alias: index.aliases.live });

const drift = ({ differences, compared }: { differences: readonly Difference[]; compared: number }) => {
  const counts = Object.entries(Object.groupBy(differences, ({ kind }) => kind))
    .map(([kind, ofKind]) => `${ofKind.length} ${kind}`)
    .join(', ');
  return `${differences.length} of ${pluralize(compared, 'member')} compared differ${counts && ` (${counts})`}`;
};

/** The age in seconds of the oldest change that the index lacks: a member's version is the time of its last change. */
function lagOf(differences: readonly Difference[], now: Date): number {
  const late = differences.filter(({ kind }) => kind === 'missing' || kind === 'behind');
  const oldest = Math.min(now.getTime(), ...late.flatMap(({ document }) => document?.version ?? []));
  return (now.getTime() - oldest) / 1_000;
}

const status: Command = async ({ index, clock }, print, report) => {
  const state = await indexState(index);
  if (!state) {
    print('live: none');
    report({ live: null });
    return false;
  }
  const { waiting, ...shown } = state;
  const [all, temporaries, sample] = await Promise.all([
    index.versions.list(),
    index.versions.temporaries(),
    compareSample(samples.status, comparedToLive(index)),
  ]);
  const events =
    waiting === undefined ? 'the broker does not answer' : `${pluralize(waiting, 'event')} waiting`;
  const seconds = lagOf(sample.differences, clock());
  const { live, mapping, complete, building, kept, shadow: tried } = shown;
  print(`live: ${live}, mapping version ${shown.mapping_version}, ${complete ? 'complete' : 'filling'}`);
  print(`documents: ${shown.documents}, of them visible: ${shown.visible}`);
  print(`mapping: ${mapping}`);
  print(`lag: ${events}; ${seconds.toFixed(0)} s`);
  print(`drift: ${drift(sample)}`);
  if (building) print(`building: ${building}`);
  if (kept) print(`kept for rollback: ${kept}`);
  if (tried)
    print(`shadow: ${tried.index}, mapping version ${tried.mapping_version}, until ${tried.expires}`);
  const named = new Set([live, building, kept, tried?.index]);
  for (const name of all) if (!named.has(name)) print(`unused: ${name}`);
  for (const name of temporaries) print(`temporary, of a comparison that runs or was killed: ${name}`);
  report({
    ...shown,
    lag: { events, seconds },
    drift: { compared: sample.compared, differ: sample.differences.length },
  });
  return mapping === asConfigured && complete && !sample.differences.length;
};

const verify: Command = async ({ index }, print, report) => {
  const result = await compareSample(samples.verify, comparedToLive(index));
  const { compared, differences } = result;
  print(drift(result));
  report({ compared, differences: differences.map(({ id, kind }) => ({ id, kind })) });
  for (const { id, kind } of differences.slice(0, shown)) print(`member ${id}: ${kind}`);
  if (differences.some(({ document }) => document)) print('repair writes what differs');
  const broken = differences.flatMap(({ id, kind }) => (kind === 'broken' ? [id] : []));
  return noneBroken(broken, print) && differences.length === 0;
};

const repair: Command = async ({ index }, print, report) => {
  const { compared, repaired, broken } = await repairIndex(comparedToLive(index));
  print(`${pluralize(compared, 'member')} compared, ${pluralize(repaired, 'document')} repaired`);
  report({ compared, repaired, broken });
  return noneBroken(broken, print);
};

const drop: Command = async ({ index }, print, report) => {
  const dropped = await dropOthers(index);
  for (const name of dropped) print(`dropped: ${name}`);
  report({ dropped });
  return true;
};

const commands = { create, rebuild, shadow, status, verify, repair, rollback, drop };

/** Name of an index command. */
export type IndexCommand = keyof typeof commands;

/** Runs a command; resolves with its exit code: 0, or 1 if something is left to do. */
export async function runIndexCommand(
  name: IndexCommand,
  context: CommandContext,
  print: Print,
  report: Output['data'] = () => {},
): Promise<number> {
  return (await commands[name](context, print, report)) ? 0 : 1;
}
