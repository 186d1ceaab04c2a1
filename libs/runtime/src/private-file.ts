import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';

/** Writes a JSON file that only its owner can read, atomically. */
export function writePrivateFile(file: string, value: unknown): void {
  writePrivateText(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The content of a JSON file; undefined if there is none that can be read, or it does not match the schema. */
export function readPrivateFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes a text file that only its owner can read, atomically. */
export function writePrivateText(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
