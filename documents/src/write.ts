import { readFile, writeFile } from 'node:fs/promises';

/** Texts by their path in the repository. */
export type Files = Readonly<Record<string, string>>;

const inRepository = (path: string) => new URL(path, new URL('../../', import.meta.url));

/** A document as text, in lines, so that diffs are readable. */
export const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The text at a path. */
export const read = (path: string) => readFile(inRepository(path), 'utf8');

/** The paths of files that are missing or out of date. */
export async function outdated(files: Files): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(files).map(async ([path, text]) =>
      (await read(path).catch(() => undefined)) === text ? [] : [path],
    ),
  );
  return found.flat();
}

/** Writes the files. */
export async function write(files: Files): Promise<void> {
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(inRepository(path), text)));
}
