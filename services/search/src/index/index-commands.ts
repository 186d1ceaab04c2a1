import { pluralize } from '@covalence/runtime/pluralize';
import { setTimeout as wait } from 'node:timers/promises';
import type { SearchContext } from '../context.ts';
import { compareSample, type Difference } from './compare-members.ts';
import type { IndexVersion } from './index-version-store.ts';
import type { IndexMapping } from './mapping.ts';
import { aliasesOf } from './member-index.ts';
import { dropOthers, rebuildIndex, rollBackIndex } from './rebuild.ts';
import { repairIndex } from './repair.ts';

/** Writes one line of a command's output. */
export type Print = (line: string) => void;

/** What commands work with; a rebuild or a rollback that is interrupted ends before the swap. */
type ToolContext = SearchContext & { readonly interrupted?: AbortSignal | undefined };

/** Receives the result of a command as a value, for `--json`. */
export type Report = (value: unknown) => void;

/** Resolves with whether nothing is left to do. */
type Command = (context: ToolContext, print: Print, report: Report) => Promise<boolean>;

/** Members that `verify` and `status` compare. */
const samples = { verify: 5_000, status: 500 };

/** Differences that `verify` names one by one. */
const shown = 10;

/** Between two looks at an index that another process fills, ms. */
const lookMs = 1_000;

/** What waits for it, as the gateway does with compose, waits until the index is complete, whoever fills it. */
const create: Command = async ({ reconciler, versions, pauseMs = lookMs }, print, report) => {
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

/** Tells of members whom profile cannot make a projection of, and whether there are none. */
function noneBroken(broken: readonly number[], print: Print): boolean {
  const named = [...broken.slice(0, shown), ...(broken.length > shown ? ['…'] : [])].join(', ');
  if (broken.length)
    print(
      `profile cannot make a projection of ${pluralize(broken.length, 'member')}, its log says why: ${named}`,
    );
  return !broken.length;
}

const rebuild: Command = async (context, print, report) => {
  const started = performance.now();
  const onProgress = (copied: number) => print(pluralize(copied, 'member'));
  const done = await rebuildIndex({ ...context, onProgress });
  const seconds = (performance.now() - started) / 1_000;
  print(`live: ${done.to.index}, ${pluralize(done.members, 'member')} in ${seconds.toFixed(1)} s`);
  print(`compared before the swap: counts, and ${pluralize(done.compared, 'member')} one by one`);
  if (done.from) print(`kept for rollback: ${done.from}`);
  report({
    live: done.to.index,
    kept: done.from ?? null,
    members: done.members,
    seconds,
    broken: done.broken,
  });
  return noneBroken(done.broken, print);
};

const rollback: Command = async (context, print, report) => {
  const { to, repaired, broken } = await rollBackIndex(context);
  print(`live: ${to.index}, ${pluralize(repaired, 'document')} brought up to date before the swap`);
  report({ live: to.index, repaired, broken });
  return noneBroken(broken, print);
};

const comparedTo = ({ namespace, profile, documents, pauseMs }: SearchContext) => ({
  profile,
  documents,
  alias: aliasesOf(namespace).live,
  pauseMs,
});

const tally = (differences: readonly Difference[]) => {
  const kinds = Object.groupBy(differences, ({ kind }) => kind);
  return Object.entries(kinds)
    .map(([kind, ofKind]) => `${ofKind.length} ${kind}`)
    .join(', ');
};

const drift = ({ differences, compared }: { differences: readonly Difference[]; compared: number }) =>
  `${differences.length} of ${pluralize(compared, 'member')} compared differ${differences.length ? ` (${tally(differences)})` : ''}`;

/** The age in seconds of the oldest change that the index lacks: a member's version is the time of its last change. */
function lagOf(differences: readonly Difference[], now: Date): number {
  const late = differences.filter(({ kind }) => kind === 'missing' || kind === 'behind');
  const oldest = Math.min(now.getTime(), ...late.flatMap(({ document }) => document?.version ?? []));
  return (now.getTime() - oldest) / 1_000;
}

const waiting = (context: SearchContext) =>
  context.waitingEvents().then(
    (count) => `${pluralize(count, 'event')} waiting`,
    () => 'the broker does not answer',
  );

/** How the configured mapping stands to the live index'. */
function mappingState(live: IndexVersion, { version, fingerprint }: IndexMapping): string {
  if (live.fingerprint === fingerprint) return 'as configured';
  if (version < live.mapping_version) {
    return `configured is version ${version}, older than the live one: is MAPPING_FILE the file of the last rebuild?`;
  }
  if (version === live.mapping_version) {
    return `what is configured differs, though it is version ${version} too (or the catalogue has changed): rebuild needed`;
  }
  return `configured is version ${version}: rebuild needed`;
}

const status: Command = async (context, print, report) => {
  const { versions, mapping, clock } = context;
  const [live, building, previous, all, labs] = await Promise.all([
    versions.live(),
    versions.building(),
    versions.previous(),
    versions.list(),
    versions.labs(),
  ]);
  if (!live) {
    print('live: none');
    report({ live: null });
    return false;
  }
  const [counts, sample, events] = await Promise.all([
    versions.count(live.index),
    compareSample(samples.status, comparedTo(context)),
    waiting(context),
  ]);
  const current = live.fingerprint === mapping.fingerprint;
  const state = live.filled ? 'complete' : 'filling';
  print(`live: ${live.index}, mapping version ${live.mapping_version}, ${state}`);
  print(`documents: ${counts.all}, of them visible: ${counts.visible}`);
  print(`mapping: ${mappingState(live, mapping)}`);
  print(`lag: ${events}; ${lagOf(sample.differences, clock()).toFixed(0)} s`);
  print(`drift: ${drift(sample)}`);
  if (building) print(`building: ${building.index}`);
  if (previous) print(`kept for rollback: ${previous.index}`);
  const named = new Set([live.index, building?.index, previous?.index]);
  for (const index of all) if (!named.has(index)) print(`unused: ${index}`);
  for (const index of labs) print(`of a relevance lab, under way or killed: ${index}`);
  report({
    live: live.index,
    mapping_version: live.mapping_version,
    mapping: mappingState(live, mapping),
    complete: live.filled,
    documents: counts.all,
    visible: counts.visible,
    lag: { events, seconds: lagOf(sample.differences, clock()) },
    drift: { compared: sample.compared, differ: sample.differences.length },
    building: building?.index ?? null,
    kept: previous?.index ?? null,
  });
  return current && live.filled && !sample.differences.length;
};

const verify: Command = async (context, print, report) => {
  const result = await compareSample(samples.verify, comparedTo(context));
  print(drift(result));
  report({
    compared: result.compared,
    differences: result.differences.map(({ id, kind }) => ({ id, kind })),
  });
  for (const { id, kind } of result.differences.slice(0, shown)) print(`member ${id}: ${kind}`);
  if (result.differences.some(({ document }) => document)) print('repair writes what differs');
  const broken = result.differences.flatMap(({ id, kind }) => (kind === 'broken' ? [id] : []));
  return noneBroken(broken, print) && result.differences.length === 0;
};

const repair: Command = async (context, print, report) => {
  const { compared, repaired, broken } = await repairIndex(comparedTo(context));
  print(`${pluralize(compared, 'member')} compared, ${pluralize(repaired, 'document')} repaired`);
  report({ compared, repaired, broken });
  return noneBroken(broken, print);
};

const drop: Command = async (context, print, report) => {
  const dropped = await dropOthers(context);
  for (const index of dropped) print(`dropped: ${index}`);
  report({ dropped });
  return true;
};

const commands = {
  create,
  rebuild,
  status,
  verify,
  repair,
  rollback,
  drop,
} as const satisfies Readonly<Record<string, Command>>;

/** Name of an index command. */
export type IndexCommand = keyof typeof commands;

/** Runs a command and resolves with its exit code: 0, or 1 where something is to be done. */
export async function runIndexCommand(
  name: IndexCommand,
  context: ToolContext,
  print: Print,
  report: Report = () => {},
): Promise<number> {
  return (await commands[name](context, print, report)) ? 0 : 1;
}
