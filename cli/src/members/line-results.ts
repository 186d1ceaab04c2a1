import type { importMembers } from '@covalence/contract/peers/profile-api';
import type { z } from 'zod';
import type { Checkpoint } from './checkpoint.ts';
import type { Candidate, LineBatch } from './line-batches.ts';
import { reasonOf } from './reason.ts';
import type { createRepeatedNames } from './repeated-names.ts';

/** A batch, and the answer of the service. */
export interface SentBatch {
  readonly batch: LineBatch;
  readonly outcome: z.output<typeof importMembers.output>;
}

/** Finds the names that a line repeats. */
export type NamesCheck = ReturnType<typeof createRepeatedNames>;

/** The result of a line. */
type Fate = 'added' | 'changed' | 'there' | 'refused';

/** A line of the report. */
export interface Reported {
  readonly line: number;
  readonly external_id: string | null;
  readonly failcode: readonly number[];
  readonly reason: string;
}

interface LineResult {
  readonly fate: Fate;
  readonly reported?: Reported;
}

/** The result of each line of a batch. A check cannot know of `repeated` names from the service. */
export function resultsOf(
  { batch: { candidates, misfits }, outcome }: SentBatch,
  repeated: NamesCheck,
): LineResult[] {
  const refused = new Map(outcome.refused.map((each) => [each.member_id, each]));
  const imported = new Map(outcome.imported.map((each) => [each.member_id, each]));
  const resultOf = (candidate: Candidate): LineResult => {
    const { line, external_id, member } = candidate;
    const refusal = refused.get(member.member_id);
    const found = imported.get(member.member_id);
    // A check adds nobody: a member who is not there can be added.
    const isNew = !found || found.added;
    const problem = refusal ? reasonOf(refusal, member.parameters) : isNew ? repeated(candidate) : undefined;
    const report = (reason: string) => ({ line, external_id, failcode: refusal?.failcode ?? [], reason });
    if (problem !== undefined) return { fate: 'refused', reported: report(problem) };
    if (isNew) return { fate: 'added' };
    const fate = found.changed ? 'changed' : 'there';
    if (!found.ignored.length) return { fate };
    return { fate, reported: report(`not changed by an update: ${found.ignored.join(', ')}`) };
  };
  const others = misfits.map(({ line, external_id, problem }): LineResult => {
    return { fate: 'refused', reported: { line, external_id, failcode: [], reason: problem } };
  });
  return [...candidates.map(resultOf), ...others];
}

/** The checkpoint after a batch, and the text to append to the report. */
export function countBatch(before: Checkpoint, { lines, bytes }: LineBatch, results: readonly LineResult[]) {
  const count = (fate: Fate) => before[fate] + results.filter((each) => each.fate === fate).length;
  const reported = results
    .flatMap((each) => each.reported ?? [])
    .toSorted((one, other) => one.line - other.line);
  const text = reported.map((line) => `${JSON.stringify(line)}\n`).join('');
  const ignored = results.filter((each) => each.reported && each.fate !== 'refused').length;
  const after: Checkpoint = {
    ...before,
    lines,
    bytes,
    reported: before.reported + Buffer.byteLength(text),
    added: count('added'),
    changed: count('changed'),
    there: count('there'),
    refused: count('refused'),
    ignored: before.ignored + ignored,
  };
  return { after, text };
}
