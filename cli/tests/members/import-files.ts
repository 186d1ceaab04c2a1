import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file to import; its path. */
export function writeLines(folder: string, name: string, lines: readonly (object | string)[]): string {
  const file = join(folder, name);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join('\n')}\n`);
  return file;
}

/** The lines of a report, and the counts of the reasons at its end. */
export function readReport(file: string, kind = 'report') {
  const text = readFileSync(`${file}.${kind}`, 'utf8').trimEnd();
  const lines = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  return { lines: lines.slice(0, -1), reasons: lines.at(-1)?.['reasons'] as Record<string, number> };
}
