import type { Peer } from '@covalence/http/peer';
import { lockAddress, takeLock } from '@covalence/stack/engines/socket-lock';
import {
  appendFileSync,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { importMembers } from '@covalence/contract/internal/profile-api';
import { CommandError, ServiceUnavailable } from '@covalence/runtime/command-error';
import { writePrivateFile } from '@covalence/runtime/private-file';
import type { z } from 'zod';
import { readCheckpoint, sourceOf, type Checkpoint } from './checkpoint.ts';
import { lineBatches, type LineBatch } from './line-batches.ts';
import { readLines } from './read-lines.ts';
import { createRepeatedNames } from './repeated-names.ts';
import { reasonOf } from './reason.ts';

/** Options of an import. */
export interface FileImport {
  readonly file: string;
  /** Receives a JSON object for each bad line. */
  readonly report: string;
  /** Holds the checkpoint. */
  readonly state: string;
  /** `check` writes nothing but the report. */
  readonly mode: ImportMode;
  readonly profile: Peer<'profile'>;
  /** Identifies the system of the profile service. */
  readonly target: string;
  /** Called at the start and after each batch. */
  readonly progress: (done: Checkpoint) => void;
  /** How long the service may be unavailable, in ms. */
  readonly retryLimitMs: number;
}

/** Concurrent batches: the service checks one while it writes another. */
const width = 3;
const pauseMs = 1_000;

/** What happens to the members of a file. */
export type ImportMode = 'add' | 'update' | 'check';

type BatchOutcome = z.output<typeof importMembers.output>;

type NamesCheck = ReturnType<typeof createRepeatedNames>;

interface Done {
  readonly batch: LineBatch;
  readonly outcome: BatchOutcome;
}

/** Imports a batch; retries while the service is unavailable. */
async function send(batch: LineBatch, { profile, mode, retryLimitMs }: FileImport): Promise<Done> {
  const members = batch.candidates.map(({ member }) => member);
  if (!members.length) return { batch, outcome: { imported: [], refused: [] } };
  for (const begun = Date.now(); ; await wait(pauseMs)) {
    try {
      const outcome =
        mode === 'check'
          ? await profile.checkImport({ members })
          : await profile.importMembers({ members, mode });
      return { batch, outcome };
    } catch (error) {
      if (!(error instanceof ServiceUnavailable) || Date.now() - begun >= retryLimitMs) throw error;
    }
  }
}

/** Sends up to `width` batches at once and yields the results in the order of the file. */
async function* sendInOrder(batches: AsyncIterable<LineBatch>, options: FileImport): AsyncGenerator<Done> {
  const pending: Promise<Done>[] = [];
  for await (const batch of batches) {
    const result = send(batch, options);
    // It is awaited later; until then its rejection must not count as unhandled.
    result.catch(() => {});
    pending.push(result);
    const first = pending.length >= width ? pending.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of pending) yield await result;
}

/** The report of the lines of a batch that were not imported. A check cannot know of `repeated` names from the service. */
function badLines({ batch: { candidates, misfits }, outcome }: Done, repeated: NamesCheck): object[] {
  const refused = new Map(outcome.refused.map((each) => [each.member_id, each]));
  const bad = candidates.flatMap((candidate) => {
    const { line, external_id, member } = candidate;
    const refusal = refused.get(member.member_id);
    const reason = refusal ? reasonOf(refusal, member.parameters) : repeated(candidate);
    return reason === undefined ? [] : [{ line, external_id, failcode: refusal?.failcode ?? [], reason }];
  });
  const others = misfits.map(({ line, problem }) => ({
    line,
    external_id: null,
    failcode: [],
    reason: problem,
  }));
  return [...bad, ...others].sort((one, other) => one.line - other.line);
}

/** Truncates the report to its length at the checkpoint. */
function openReport(report: string, { reported }: Checkpoint): number {
  if (reported > 0 && existsSync(report) && statSync(report).size >= reported) {
    truncateSync(report, reported);
    return reported;
  }
  writeFileSync(report, '');
  return 0;
}

/** Appends bad lines to the report, then saves the checkpoint. */
function commit(
  done: Done,
  before: Checkpoint,
  { report, state, mode }: FileImport,
  repeated: NamesCheck,
): Checkpoint {
  const bad = badLines(done, repeated);
  const text = bad.map((line) => `${JSON.stringify(line)}\n`).join('');
  if (text) appendFileSync(report, text);
  const { batch, outcome } = done;
  const good = batch.candidates.length + batch.misfits.length - bad.length;
  const refused = new Set(outcome.refused.map(({ member_id }) => member_id));
  const there = outcome.imported.filter(({ member_id, added }) => !added && !refused.has(member_id)).length;
  const changed = outcome.imported.filter((one) => one.changed).length;
  // A check adds nobody: what is neither there nor refused can be added.
  const added = mode === 'check' ? good - there : outcome.imported.filter((one) => one.added).length;
  const after: Checkpoint = {
    source: before.source,
    lines: batch.lines,
    bytes: batch.bytes,
    reported: before.reported + Buffer.byteLength(text),
    added: before.added + added,
    changed: before.changed + changed,
    there: before.there + good - added - changed,
    refused: before.refused + bad.length,
  };
  if (mode !== 'check') writePrivateFile(state, after);
  return after;
}

/** Ends the report with the number of lines of each reason, the most frequent first, and returns them. */
async function closeReport(report: string): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const { text = '' } of readLines(report, 0)) {
    const { reason } = JSON.parse(text) as { reason: string };
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  appendFileSync(report, `${JSON.stringify({ reasons: Object.fromEntries(sorted) })}\n`);
  return sorted;
}

/** How often each reason occurs. */
type Counts = readonly (readonly [reason: string, lines: number])[];

/** The result of an import. */
export interface FileOutcome extends Checkpoint {
  readonly reasons: Counts;
}

/**
 * Imports the members of an NDJSON file. Continues an interrupted import; repeating a finished one changes nothing.
 * Resolves with the counts. A second process is refused. Throws ServiceUnavailable when the service stays unavailable; it can be continued then.
 */
export async function importFile(options: FileImport): Promise<FileOutcome> {
  const { file, report, state, mode, target, progress } = options;
  const lock = await takeLock(lockAddress('import', realpathSync(file)));
  if (!lock) throw new CommandError(`${file} is being imported by another process.`);
  try {
    const kept = readCheckpoint(mode === 'check' ? undefined : state, sourceOf(file, `${target} ${mode}`));
    let done: Checkpoint = { ...kept, reported: openReport(report, kept) };
    progress(done);
    const repeated: NamesCheck = mode === 'check' ? createRepeatedNames() : () => undefined;
    for await (const result of sendInOrder(lineBatches(file, done), options)) {
      done = commit(result, done, options, repeated);
      progress(done);
    }
    if (mode !== 'check') rmSync(state, { force: true });
    if (done.refused > 0) return { ...done, reasons: await closeReport(report) };
    rmSync(report, { force: true });
    return { ...done, reasons: [] };
  } finally {
    lock.close();
  }
}
