import { importedOf, parseLine, type ImportedMember } from './member-line.ts';
import { readLines, type FileLine } from './read-lines.ts';

/** A line with a member. */
export interface Candidate {
  readonly line: number;
  readonly external_id: string;
  readonly member: ImportedMember;
}

/** A line without a member to import. */
interface Misfit {
  readonly line: number;
  readonly external_id: string | null;
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

/** Adds a line; one that repeats the id of an earlier line as a misfit. */
function add(
  batch: Growing,
  { text, problem }: FileLine,
  line: number,
  firstLines: Map<string, number>,
): void {
  const trimmed = text?.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return;
  const parsed = trimmed === undefined ? { problem: problem ?? '' } : parseLine(trimmed);
  batch.size += text?.length ?? 0;
  if ('problem' in parsed) {
    batch.misfits.push({ line, external_id: null, problem: parsed.problem });
    return;
  }
  const { external_id } = parsed.member;
  const member = importedOf(parsed.member);
  const first = firstLines.get(member.member_id);
  if (first !== undefined) {
    batch.misfits.push({ line, external_id, problem: `external_id: that of line ${first}` });
    return;
  }
  firstLines.set(member.member_id, line);
  batch.candidates.push({ line, external_id, member });
}

const isFull = ({ candidates, misfits, size }: Growing) =>
  candidates.length >= batchSize || misfits.length >= batchSize || size >= mostBytes;

/** The lines of a file after the first `done` ones, in batches; empty lines are counted and skipped. */
export async function* lineBatches(file: string, done: number): AsyncGenerator<LineBatch> {
  // About 100 bytes of memory per line, which find repeated lines of other batches.
  const firstLines = new Map<string, number>();
  let [lines, bytes] = [0, 0];
  let batch = empty();
  for await (const line of readLines(file)) {
    lines += 1;
    bytes = line.end;
    add(batch, line, lines, firstLines);
    if (lines > done && !isFull(batch)) continue;
    if (lines > done) yield { ...batch, lines, bytes };
    batch = empty();
  }
  yield { ...batch, lines, bytes };
}
