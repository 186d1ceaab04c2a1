import type { Peer } from '@covalence/http/peer';
import { lockAddress, takeLock } from '@covalence/stack/engines/socket-lock';
import { randomUUID } from 'node:crypto';
import { appendFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, ServiceUnavailable } from '@covalence/runtime/command-error';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { isHeldBy, readCheckpoint, sourceOf, type Checkpoint, type ImportFiles } from './checkpoint.ts';
import { lineBatches, type LineBatch } from './line-batches.ts';
import { countBatch, resultsOf, type NamesCheck, type Reported, type SentBatch } from './line-results.ts';
import { readLines } from './read-lines.ts';
import { createRepeatedNames } from './repeated-names.ts';

/** The handling of a file's members; `check` writes nothing but a report. */
export type ImportMode = 'add' | 'update' | 'check';

/** Options of an import. */
export interface FileImport {
  readonly file: string;
  readonly mode: ImportMode;
  readonly profile: Pick<Peer<'profile'>, 'importMembers' | 'checkImport'>;
  /** Identifies the system of the profile service. */
  readonly target: string;
  /** Called at the start and after each batch. */
  readonly progress: (done: Checkpoint) => void;
  /** Time that the service may be unavailable, in ms. */
  readonly retryLimitMs: number;
}

/** Concurrent batches: the service checks one while it writes another. */
const width = 3;
const pauseMs = 1_000;

/** Imports a batch; retries while the service is unavailable. */
async function send(batch: LineBatch, { profile, mode, retryLimitMs }: FileImport): Promise<SentBatch> {
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
async function* sendInOrder(
  batches: AsyncIterable<LineBatch>,
  options: FileImport,
): AsyncGenerator<SentBatch> {
  const pending: Promise<SentBatch>[] = [];
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

/** Ends the report with the number of lines of each reason, the most frequent first, and returns them. */
async function closeReport(report: string): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const { text = '' } of readLines(report)) {
    const { reason } = JSON.parse(text) as Reported;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  appendFileSync(report, `${JSON.stringify({ reasons: Object.fromEntries(sorted) })}\n`);
  return sorted;
}

/** The number of lines by reason. */
type Counts = readonly (readonly [reason: string, lines: number])[];

/** The result of an import. */
export interface FileOutcome extends Checkpoint {
  readonly reasons: Counts;
  readonly report: string;
}

/** Imports the lines after a checkpoint, and writes report and checkpoint after each batch. */
async function importAfter(kept: Checkpoint, { report, state }: ImportFiles, options: FileImport) {
  const { file, mode, progress } = options;
  const repeated: NamesCheck = mode === 'check' ? createRepeatedNames() : () => undefined;
  let done = kept;
  writePrivateFile(state, done);
  // An earlier report is cut to the checkpoint.
  writeFileSync(report, '', { flag: 'a', mode: 0o600 });
  truncateSync(report, done.reported);
  progress(done);
  for await (const result of sendInOrder(lineBatches(file, done.lines), options)) {
    const { after, text } = countBatch(done, result.batch, resultsOf(result, repeated));
    if (!isHeldBy(state, done.run)) throw inUse(file);
    if (text) appendFileSync(report, text);
    done = after;
    writePrivateFile(state, done);
    progress(done);
  }
  return done;
}

const inUse = (file: string) => new CommandError(`${file} is being imported by another process.`);

/**
 * Imports the members of an NDJSON file. Continues an interrupted import; repeating a finished one changes nothing.
 * Resolves with the counts. A second process is refused; on another machine it takes over, and this one ends. Throws
 * ServiceUnavailable when the service stays unavailable; it can be continued then.
 */
export async function importFile(options: FileImport): Promise<FileOutcome> {
  const { file, mode, target } = options;
  const lock = await takeLock(lockAddress('import', realpathSync(file)));
  if (!lock) throw inUse(file);
  try {
    // A check has files of its own, so that an interrupted import can continue after it.
    const kind = mode === 'check' ? 'check-' : '';
    const files = { report: `${file}.${kind}report`, state: `${file}.${kind}state` };
    // It starts from the beginning, because it remembers the names of all lines.
    if (mode === 'check') rmSync(files.state, { force: true });
    const kept = readCheckpoint(files, sourceOf(file, `${target} ${mode}`));
    const done = await importAfter({ ...kept, run: randomUUID() }, files, options);
    const reasons = done.reported ? await closeReport(files.report) : [];
    if (!done.reported) rmSync(files.report, { force: true });
    rmSync(files.state, { force: true });
    return { ...done, reasons, report: files.report };
  } finally {
    lock.close();
  }
}
