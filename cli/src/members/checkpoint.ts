import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';

const schema = z.object({
  /** What is imported, and into which system: another file or another system begins anew. */
  source: z.string(),
  /** Lines and bytes of the file that are done with. */
  lines: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Length of the report then. */
  reported: z.int().nonnegative(),
  added: z.int().nonnegative(),
  there: z.int().nonnegative(),
  refused: z.int().nonnegative(),
});

/** How far an import came: everything before it is done, whatever happened after it. */
export type Checkpoint = z.output<typeof schema>;

/** The beginning of an import. */
export function beginning(source: string): Checkpoint {
  return { source, lines: 0, bytes: 0, reported: 0, added: 0, there: 0, refused: 0 };
}

/** Names a file as it is now, and the system that it goes to. */
export function sourceOf(file: string, target: string): string {
  const { size, mtimeMs } = statSync(file);
  return createHash('sha256').update(`${size} ${mtimeMs} ${target}`).digest('base64url');
}

/** How far the last import of the same source came that was not finished; the beginning where there is none. */
export function readCheckpoint(file: string, source: string): Checkpoint {
  const start = beginning(source);
  if (!existsSync(file)) return start;
  try {
    const kept = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return kept.source === source ? kept : start;
  } catch {
    return start;
  }
}

/** Keeps how far the import came, whole or not at all. */
export function keepCheckpoint(file: string, checkpoint: Checkpoint): void {
  writePrivateFile(file, checkpoint);
}

/** The import is finished: the next one of the file begins anew. */
export function dropCheckpoint(file: string): void {
  rmSync(file, { force: true });
}
