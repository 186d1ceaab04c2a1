import { createHash } from 'node:crypto';
import { sumOf } from '@covalence/runtime/sum';
import { z } from 'zod';
import { compileRules, mostKeys, type RuleNode } from './synonyms.ts';
import { tokensOf } from './words.ts';

/** Snowball's stemmers, which every Elasticsearch has. */
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
] as const;

/** An index has the stems of two versions, each for every text field, and Elasticsearch takes 1,000 fields. */
export const mostAnalysis = { languages: 20, stemmers: 8, rules: 5_000, protected: 1_000, letters: 1_000 };

const protectedWord = z
  .string()
  .max(50)
  .refine((word) => tokensOf(word).length === 1, 'is not one word');

const languageSchema = z
  .strictObject({
    /** Rules in Solr's format, applied when a member searches: `a, b` and `a => b`; `#` begins a comment. */
    synonyms: z.array(z.string().max(mostAnalysis.letters)).max(mostAnalysis.rules).default([]),
    /** Stems the words of the index; without it the sub-field `forms` of the mapping does. */
    stemmer: z.enum(stemmers).optional(),
    /** Words that the stemmer leaves as they are. */
    protected: z.array(protectedWord).max(mostAnalysis.protected).default([]),
  })
  .superRefine(({ synonyms, stemmer, protected: words }, context) => {
    for (const { index, problem } of compileRules(synonyms).problems) {
      context.addIssue({ code: 'custom', path: ['synonyms', index], message: problem });
    }
    if (words.length && !stemmer) {
      context.addIssue({ code: 'custom', path: ['protected'], message: 'needs a stemmer' });
    }
  });

/** Problems of the languages together: their names, and what they cost. */
function checkLanguages(
  languages: Readonly<Record<string, z.output<typeof languageSchema>>>,
  context: z.core.$RefinementCtx,
): void {
  const problem = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message });
  for (const name of Object.keys(languages)) {
    if (!/^[a-z]{2,3}$/.test(name)) problem('is no language: en, de, …', name);
  }
  if (Object.keys(languages).length > mostAnalysis.languages)
    problem(`are more than ${mostAnalysis.languages}`);
  if (Object.values(languages).filter(({ stemmer }) => stemmer).length > mostAnalysis.stemmers) {
    problem(`have more than ${mostAnalysis.stemmers} stemmers`);
  }
  if (sumOf(Object.values(languages), ({ synonyms }) => compileRules(synonyms).keys) > mostKeys) {
    problem(`have more than ${mostKeys} phrases in their rules`);
  }
}

/** Synonyms, stemmers and protected words by language, which the search team publishes by version; docs/search.md explains them. */
export const analysisSchema = z.strictObject({
  languages: z.record(z.string(), languageSchema).superRefine(checkLanguages),
});

/** The published analysis. */
type AnalysisContent = z.output<typeof analysisSchema>;

/** Stemming of a language in the index: the name of a sub-field of the texts, and the parts of its analyzer. */
export interface Stems {
  readonly name: string;
  readonly stemmer: string;
  readonly protected: readonly string[];
}

/** The analysis of one language, for searches. */
export interface LanguageAnalysis {
  /** The sub-field that finds other forms of a word. */
  readonly forms: string;
  readonly rules?: RuleNode;
}

/** The analysis of a version as searches use it. */
export interface Analysis {
  /** The sub-fields that the index must have. */
  readonly stems: readonly Stems[];
  /** The rules of every language; undefined stands for a language without rules. */
  readonly rules: readonly LanguageAnalysis['rules'][];
  /** The analysis for a member with this locale. */
  forLocale(locale: string): LanguageAnalysis;
}

/** The sub-field of the mapping, for languages without a stemmer of their own. Those of stemmers share its properties. */
export const standardForms = 'forms';

/** The name contains a hash of the content, so that two versions that stem differently can share an index. */
function stemsOf({ stemmer, protected: words }: AnalysisContent['languages'][string]): Stems | undefined {
  if (!stemmer) return undefined;
  const sorted = [...new Set(words.flatMap(tokensOf))].toSorted();
  const hash = createHash('sha256')
    .update(JSON.stringify([stemmer, sorted]))
    .digest('hex')
    .slice(0, 8);
  return { name: `${standardForms}_${hash}`, stemmer, protected: sorted };
}

/** Each of some stems once. */
export const uniqueStems = (stems: readonly Stems[]): Stems[] => [
  ...new Map(stems.map((one) => [one.name, one])).values(),
];

/** Compiles the content of a version. */
export function compileAnalysis({ languages }: AnalysisContent): Analysis {
  const compiled = Object.entries(languages).map(([language, one]) => {
    const stems = stemsOf(one);
    const { root } = compileRules(one.synonyms);
    return { language, stems, analysis: { forms: stems?.name ?? standardForms, rules: root } };
  });
  const byLanguage = new Map(compiled.map(({ language, analysis }) => [language, analysis]));
  return {
    stems: uniqueStems(compiled.flatMap(({ stems }) => stems ?? [])),
    rules: [undefined, ...compiled.map(({ analysis }) => analysis.rules)],
    forLocale: (locale) =>
      byLanguage.get(locale.split(/[_-]/)[0]?.toLowerCase() ?? '') ?? { forms: standardForms },
  };
}
