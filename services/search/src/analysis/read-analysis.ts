import { analysisSchema, type AnalysisContent } from './analysis.ts';

/** The size of a file, in characters. */
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

/** Reads and checks a version; throws an Error with a line for each problem. */
export function readAnalysis(text: string): AnalysisContent {
  if (text.length > mostCharacters) throw new Error(`has more than ${mostCharacters} characters`);
  const data: unknown = JSON.parse(text);
  const checked = analysisSchema.safeParse(data);
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
