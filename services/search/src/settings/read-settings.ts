import type { Problem } from '@covalence/contract/failure';
import type { z } from 'zod';
import { settingsChange, settingsFile, type SettingsChange } from './search-settings.ts';

/** The size of a version, in characters, without the indentation of its file. */
export const mostCharacters = 500_000;

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

/** Problems that are reported, and their length in characters. */
const most = { problems: 20, letters: 200 };

/** The fault of the whole input, if any. The schema would silently drop the name `__proto__`. */
function faultOf(data: unknown): string | undefined {
  const text = JSON.stringify(data);
  if (text.length > mostCharacters) return `has more than ${mostCharacters} characters`;
  return text.includes('"__proto__":') ? 'has the name __proto__' : undefined;
}

/** Checks what is to be published or tried; returns the problems of each part instead, the first of them. */
export function checkSettings(data: object): { readonly change: SettingsChange } | { problems: Problem[] } {
  const fault = faultOf(data);
  if (fault) return { problems: [{ path: '', problem: fault }] };
  const checked = settingsChange.safeParse(data);
  if (checked.success) return { change: checked.data };
  const problems = checked.error.issues.slice(0, most.problems).map(({ path, message }) => ({
    path: path.join('.').slice(0, most.letters),
    problem: message.slice(0, most.letters),
  }));
  return { problems };
}

/** Reads and checks a file to publish; throws an Error with a line for each problem. */
export function readSettings(text: string): z.output<typeof settingsFile> {
  const data: unknown = JSON.parse(text);
  const fault = faultOf(data);
  if (fault) throw new Error(fault);
  const checked = settingsFile.safeParse(data);
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
