import { readPrivateFile } from '@covalence/runtime/private-file';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({
  /** Identifies the file and the system; another one starts from the beginning. */
  source: z.string(),
  /** The process that imports now. */
  run: z.string(),
  /** Processed lines and bytes of the file. */
  lines: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Length of the report at this point. */
  reported: z.int().nonnegative(),
  added: z.int().nonnegative(),
  changed: z.int().nonnegative(),
  there: z.int().nonnegative(),
  refused: z.int().nonnegative(),
  /** Lines with parameters that an update does not change. */
  ignored: z.int().nonnegative(),
});

/** The progress of an import: everything before it is done. */
export type Checkpoint = z.output<typeof schema>;

/** Identifies the current version of a file, and the target system. */
export function sourceOf(file: string, target: string): string {
  const { size, mtimeMs } = statSync(file);
  return createHash('sha256').update(`${size} ${mtimeMs} ${target}`).digest('base64url');
}

/** The files of an import. */
export interface ImportFiles {
  /** Receives a JSON object for each line with a problem. */
  readonly report: string;
  /** Holds the checkpoint. */
  readonly state: string;
}

const isReported = (report: string, { reported }: Checkpoint) =>
  !reported || (existsSync(report) && statSync(report).size >= reported);

/** The checkpoint of an unfinished import of the same source, while its report is there, else the start. */
export function readCheckpoint({ report, state }: ImportFiles, source: string): Checkpoint {
  const kept = readPrivateFile(state, schema);
  if (kept?.source === source && isReported(report, kept)) return kept;
  const counts = { added: 0, changed: 0, there: 0, refused: 0, ignored: 0 };
  return { source, run: '', lines: 0, bytes: 0, reported: 0, ...counts };
}

/** Whether the checkpoint is still that of a run. On a shared disk, a process of another machine may have taken over. */
export function isHeldBy(state: string, run: string): boolean {
  return readPrivateFile(state, schema)?.run === run;
}
