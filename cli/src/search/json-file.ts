import { isMap } from '@covalence/contract/is-map';
import { CommandError } from '@covalence/runtime/command-error';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ActionCall } from '../operator-command.ts';

/** Reads a JSON object from a file, or from standard input if it is `-`. The service checks what it holds. */
export async function readObject({ context }: ActionCall, file: string): Promise<object> {
  try {
    const content =
      file === '-' ? await text(process.stdin) : readFileSync(resolve(context.workingFolder, file), 'utf8');
    const read: unknown = JSON.parse(content);
    if (isMap(read)) return read;
  } catch {
    // Says below what is missing.
  }
  throw new CommandError(`${file} is not a file with a JSON object.`);
}
