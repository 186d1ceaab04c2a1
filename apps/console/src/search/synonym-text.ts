import type { PartProblem } from '../api/api.tsx';
import type { Languages } from './queries.ts';

/** A stemmer of the index. */
export type Stemmer = NonNullable<Languages[string]['stemmer']>;

/** All stemmers. */
export const stemmers = [
  'Danish',
  'Dutch',
  'English',
  'Finnish',
  'French',
  'German',
  'Hungarian',
  'Italian',
  'Norwegian',
  'Portuguese',
  'Romanian',
  'Russian',
  'Spanish',
  'Swedish',
  'Turkish',
] as const satisfies readonly Stemmer[];

/** A language as a person edits it. */
export interface LanguageText {
  /** Synonyms, a rule a line. */
  readonly rules: string;
  readonly stemmer: Stemmer | undefined;
  /** Words that the stemmer leaves alone. */
  readonly words: string;
}

/** A language as text. */
export const textOf = (language: Languages[string] | undefined): LanguageText => ({
  rules: language?.synonyms.join('\n') ?? '',
  stemmer: language?.stemmer,
  words: language?.protected.join(' ') ?? '',
});

/** The rules of a text. Empty lines stay, so that a rule has the number of its line; those at the end do not. */
export function rulesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** The languages with changed texts. One without anything is left out. */
export function languagesWith(
  languages: Languages,
  drafts: Readonly<Record<string, LanguageText>>,
): Languages {
  const changed = Object.entries(drafts).map(([name, { rules, stemmer, words }]) => {
    const protectedWords = words.split(/\s+/).filter((word) => word !== '');
    return [
      name,
      { synonyms: rulesIn(rules), ...(stemmer && { stemmer }), protected: protectedWords },
    ] as const;
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
