import type { PartProblem } from '../api/api.tsx';
import type { Languages } from './queries.ts';

/** The rules of a language as text, one a line. */
export const textOf = (language: Languages[string] | undefined): string =>
  language?.synonyms.join('\n') ?? '';

/** The rules of a text. Empty lines stay, so that a rule has the number of its line; those at the end do not. */
export function rulesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** The languages with changed texts. A language without rules and anything else is left out. */
export function languagesWith(languages: Languages, drafts: Readonly<Record<string, string>>): Languages {
  const changed = Object.entries(drafts).map(([name, text]) => {
    const { protected: words = [], ...rest } = languages[name] ?? {};
    return [name, { ...rest, synonyms: rulesIn(text), protected: words }] as const;
  });
  const all = Object.entries({ ...languages, ...Object.fromEntries(changed) });
  return Object.fromEntries(
    all.filter(([, { synonyms, stemmer, protected: words }]) => synonyms.length || stemmer || words.length),
  );
}

/** The language and the line of a rule that was refused; undefined for another part. */
export function lineOf({ path }: Pick<PartProblem, 'path'>): { language: string; line: number } | undefined {
  const [, language, index] = /^languages\.([a-z]+)\.synonyms\.(\d+)$/.exec(path) ?? [];
  return language === undefined ? undefined : { language, line: Number(index) + 1 };
}
