import { readFile, writeFile } from 'node:fs/promises';
import type { Schema } from './openapi/schema.ts';

const root = new URL('../../', import.meta.url);

/** A document as it is written: in lines, so that its history shows what changed. */
export const jsonText = (document: Schema): string => `${JSON.stringify(document, null, 2)}\n`;

/** Where the documents are kept: the gateway serves them, the client is typed by them. */
export const places = {
  openApi: 'gateway/documents/openapi.json',
  asyncApi: 'gateway/documents/asyncapi.json',
  types: 'libs/client/src/api.ts',
} as const;

/** Files by their path in the repository. */
type Files = Readonly<Record<string, string>>;

/** What the repository has at a path; undefined where there is no such file. */
const readWritten = (path: string) => readFile(new URL(path, root), 'utf8').catch(() => undefined);

/** The paths whose files are not what the code makes now. */
export async function outdated(files: Files): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(files).map(async ([path, text]) => ((await readWritten(path)) === text ? [] : [path])),
  );
  return found.flat();
}

/** Writes the files into the repository. */
export async function write(files: Files): Promise<void> {
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(new URL(path, root), text)));
}
