import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read; it is there whole or not at all. */
export function writePrivateFile(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
