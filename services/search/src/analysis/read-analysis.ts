import type { z } from 'zod';
import { analysisFileSchema } from './analysis.ts';

/** The size of a version, in characters, without the indentation of its file. */
const mostCharacters = 500_000;

/** The entry of a document at a path. */
const entryAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    data,
  );

/** The number of the line that has an entry; undefined if it is written in another way. */
function lineOf(text: string, path: readonly PropertyKey[], entry: unknown): number | undefined {
  // The names on the path lead to the right one of several equal entries.
  const marks = path.filter((key) => typeof key === 'string').map((key) => JSON.stringify(key));
  const from = marks.reduce((at, mark) => Math.max(at, text.indexOf(mark, at)), 0);
  const at = typeof entry === 'string' ? text.indexOf(JSON.stringify(entry), from) : from;
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
}

/** Reads and checks a file to publish; throws an Error with a line for each problem. */
export function readAnalysis(text: string): z.output<typeof analysisFileSchema> {
  const data: unknown = JSON.parse(text);
  if (JSON.stringify(data).length > mostCharacters) {
    throw new Error(`has more than ${mostCharacters} characters`);
  }
  const checked = analysisFileSchema.safeParse(data);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(({ path, message }) => {
    const entry = entryAt(data, path);
    const line = lineOf(text, path, entry);
    const names = path.filter((key) => typeof key === 'string').join('.');
    const quoted = typeof entry === 'string' ? `: "${entry}"` : '';
    return `${line === undefined ? '' : `line ${line}: `}${names}${quoted} ${message}`;
  });
  throw new Error(problems.join('\n'));
}
