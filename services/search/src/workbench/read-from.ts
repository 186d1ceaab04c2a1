import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { problemText } from '@covalence/runtime/config';
import { readFileSync } from 'node:fs';

const mostNote = 200;

/** The note of the option `--note`; empty without one. */
export function noteIn({ note = '' }: { readonly note?: string }): string {
  if (note.length > mostNote) throw new UsageError(`--note takes up to ${mostNote} characters.`);
  return note;
}

/** Reads a file; an error names it. */
export function readFrom<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new CommandError(`${path}:\n${problemText(error)}`);
  }
}

/** Reads a file of search settings to publish or try, or what `given` has instead. */
export async function readSettingsFrom(path: string, given?: string) {
  // Imported lazily, so that --help loads no schemas.
  const { readSettings } = await import('../settings/read-settings.ts');
  return readFrom(path, (file) => readSettings(given ?? readFileSync(file, 'utf8')));
}
