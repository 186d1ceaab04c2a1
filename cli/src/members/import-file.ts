import { failureCode } from '@covalence/contract/failure-codes';
import type { Peer } from '@covalence/http/peer';
import { appendFileSync, existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceUnavailable } from '@covalence/runtime/command-error';
import { dropCheckpoint, keepCheckpoint, readCheckpoint, sourceOf, type Checkpoint } from './checkpoint.ts';
import { importBatch, type BatchOutcome } from './import-batch.ts';
import { inOrder } from './in-order.ts';
import { lineBatches, type LineBatch } from './line-batches.ts';

/** What an import works on. */
export interface FileImport {
  readonly file: string;
  /** Where bad lines go, a JSON object each. */
  readonly report: string;
  /** Where it is kept how far the import came. */
  readonly state: string;
  readonly profile: Peer<'profile'>;
  /** Names the system that the members go to. */
  readonly target: string;
  /** Told of the beginning and of each batch that is done. */
  readonly progress: (done: Checkpoint) => void;
  /** How long the service may be away, in ms. */
  readonly patienceMs: number;
}

/** Batches under way at once: one is checked while another one is written. */
const width = 3;
const pauseMs = 1_000;

interface Done {
  readonly batch: LineBatch;
  readonly outcome: BatchOutcome;
}

/** Imports a batch; a service that restarts, or has too much to do, is waited for. */
async function send(batch: LineBatch, { profile, patienceMs }: FileImport): Promise<Done> {
  const members = batch.candidates.map(({ member }) => member);
  for (const begun = Date.now(); ; await wait(pauseMs)) {
    try {
      const outcome = members.length ? await importBatch(profile, members) : { imported: [], refused: [] };
      return { batch, outcome };
    } catch (error) {
      if (!(error instanceof ServiceUnavailable) || Date.now() - begun >= patienceMs) throw error;
    }
  }
}

type Refused = BatchOutcome['refused'][number];

/** What is wrong with a line, with the fields that it is wrong with. */
function reasonOf({ failcode, failed }: Refused): string {
  if (!failcode.length) return 'unknown siteid';
  const reasons = failcode.map((code) => {
    const names = Object.keys(failed).filter((name) => failed[name] === code);
    const meaning = failureCode(code)?.meaning ?? '';
    return names.length ? `${names.join(', ')}: ${meaning}` : meaning;
  });
  return reasons.join('; ');
}

/** The lines of a batch that were not imported, for the report. */
function badLines({ batch: { candidates, misfits }, outcome }: Done): object[] {
  const refused = new Map(outcome.refused.map((each) => [each.member_id, each]));
  const bad = candidates.flatMap(({ line, external_id, member }) => {
    const refusal = refused.get(member.member_id);
    return refusal ? [{ line, external_id, failcode: refusal.failcode, reason: reasonOf(refusal) }] : [];
  });
  const others = misfits.map(({ line, problem }) => ({
    line,
    external_id: null,
    failcode: [],
    reason: problem,
  }));
  return [...bad, ...others].sort((one, other) => one.line - other.line);
}

/** The report as long as the checkpoint knows it: what was written after it is written again. */
function openReport(report: string, { reported }: Checkpoint): number {
  if (reported > 0 && existsSync(report) && statSync(report).size >= reported) {
    truncateSync(report, reported);
    return reported;
  }
  writeFileSync(report, '');
  return 0;
}

/** Writes what became of a batch into the report, then how far the import is. */
function commit(done: Done, before: Checkpoint, { report, state }: FileImport): Checkpoint {
  const bad = badLines(done);
  const text = bad.map((line) => `${JSON.stringify(line)}\n`).join('');
  if (text) appendFileSync(report, text);
  const { batch, outcome } = done;
  const added = outcome.imported.filter((one) => one.added).length;
  const after: Checkpoint = {
    source: before.source,
    lines: batch.lines,
    bytes: batch.bytes,
    reported: before.reported + Buffer.byteLength(text),
    added: before.added + added,
    there: before.there + batch.candidates.length + batch.misfits.length - bad.length - added,
    refused: before.refused + bad.length,
  };
  keepCheckpoint(state, after);
  return after;
}

/**
 * Imports the members of an NDJSON file. An import that was killed goes on where it was; one that is repeated changes nothing.
 * Resolves with what became of the lines. Throws ServiceUnavailable when the service stays away; then, too, it can go on.
 */
export async function importFile(asked: FileImport): Promise<Checkpoint> {
  const { file, report, state, target, progress } = asked;
  const kept = readCheckpoint(state, sourceOf(file, target));
  let done: Checkpoint = { ...kept, reported: openReport(report, kept) };
  progress(done);
  const results = inOrder(lineBatches(file, done), width, (batch) => send(batch, asked));
  for await (const result of results) {
    done = commit(result, done, asked);
    progress(done);
  }
  dropCheckpoint(state);
  if (done.refused === 0) rmSync(report, { force: true });
  return done;
}
