import { importedOf, parseLine, type ImportedMember } from './member-line.ts';
import { readLines, type FileLine } from './read-lines.ts';

/** A line with a member. */
export interface Candidate {
  readonly line: number;
  readonly external_id: string;
  readonly member: ImportedMember;
}

/** A line without a valid member. */
interface Misfit {
  readonly line: number;
  readonly problem: string;
}

/** Lines that are imported in one call. */
export interface LineBatch {
  readonly candidates: readonly Candidate[];
  readonly misfits: readonly Misfit[];
  /** Lines and bytes of the file up to the end of the batch. */
  readonly lines: number;
  readonly bytes: number;
}

/** Members per call. */
const batchSize = 500;
/** Far below the body limit of the service. */
const mostBytes = 4 * 1024 * 1024;

interface Growing {
  candidates: Candidate[];
  misfits: Misfit[];
  size: number;
}

const empty = (): Growing => ({ candidates: [], misfits: [], size: 0 });

function add(batch: Growing, { text, problem }: FileLine, line: number): void {
  const trimmed = text?.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return;
  const parsed = trimmed === undefined ? { problem: problem ?? '' } : parseLine(trimmed);
  batch.size += text?.length ?? 0;
  if ('problem' in parsed) batch.misfits.push({ line, problem: parsed.problem });
  else {
    const { member } = parsed;
    batch.candidates.push({ line, external_id: member.external_id, member: importedOf(member) });
  }
}

const isFull = ({ candidates, misfits, size }: Growing) =>
  candidates.length >= batchSize || misfits.length >= batchSize || size >= mostBytes;

/** The lines of a file after a position, in batches; empty lines are counted and skipped. */
export async function* lineBatches(
  file: string,
  from: { readonly lines: number; readonly bytes: number },
): AsyncGenerator<LineBatch> {
  let { lines, bytes } = from;
  let batch = empty();
  for await (const line of readLines(file, bytes)) {
    lines += 1;
    bytes = line.end;
    add(batch, line, lines);
    if (!isFull(batch)) continue;
    yield { ...batch, lines, bytes };
    batch = empty();
  }
  yield { ...batch, lines, bytes };
}
