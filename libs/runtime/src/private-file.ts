import { renameSync, writeFileSync } from 'node:fs';

/** Writes a JSON file that only its owner can read, atomically. */
export function writePrivateFile(file: string, value: unknown): void {
  writePrivateText(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a text file that only its owner can read, atomically. */
export function writePrivateText(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
