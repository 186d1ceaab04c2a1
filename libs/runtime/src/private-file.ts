import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read; it is there whole or not at all. */
export function writePrivateFile(file: string, value: unknown): void {
  writePrivateText(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The same for a text. */
export function writePrivateText(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
