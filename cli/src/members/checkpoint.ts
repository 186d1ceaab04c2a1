import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({
  /** Identifies the file and the system; another one starts from the beginning. */
  source: z.string(),
  /** Processed lines and bytes of the file. */
  lines: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Length of the report at this point. */
  reported: z.int().nonnegative(),
  added: z.int().nonnegative(),
  changed: z.int().nonnegative().default(0),
  there: z.int().nonnegative(),
  refused: z.int().nonnegative(),
});

/** The progress of an import: everything before it is done. */
export type Checkpoint = z.output<typeof schema>;

/** Identifies the current version of a file, and the target system. */
export function sourceOf(file: string, target: string): string {
  const { size, mtimeMs } = statSync(file);
  return createHash('sha256').update(`${size} ${mtimeMs} ${target}`).digest('base64url');
}

/** The checkpoint of an unfinished import of the same source, else the start. */
export function readCheckpoint(file: string | undefined, source: string): Checkpoint {
  const start = { source, lines: 0, bytes: 0, reported: 0, added: 0, changed: 0, there: 0, refused: 0 };
  if (file === undefined || !existsSync(file)) return start;
  try {
    const kept = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return kept.source === source ? kept : start;
  } catch {
    return start;
  }
}
