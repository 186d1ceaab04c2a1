import type { LanguageAnalysis } from '../analysis/analysis.ts';
import { expandText, newBudget, type TextUnit, type TypoSettings } from '../analysis/expand-text.ts';
import { typosBetween } from '../analysis/typos.ts';
import { tokensOf } from '../analysis/words.ts';

/** Letters that forms of a word share at the beginning. */
const sharedLetters = 3;

/** Words may differ in this many letters. */
const mostTypos = 2;

/** Whether a search for one word might find the other: another form of it, or one with typos. */
const mightBe = (wanted: string, word: string): boolean =>
  word.startsWith(wanted.slice(0, sharedLetters)) ||
  (wanted[0] === word[0] && typosBetween(wanted, word, mostTypos) <= mostTypos);

/** The folded words of what was typed, and of each synonym. */
const phrasesOf = ({ words, isKept, alternatives }: TextUnit): string[][] =>
  [...(isKept ? [words] : []), ...alternatives.map((one) => one.words)].map((phrase) =>
    phrase.flatMap(tokensOf),
  );

/**
 * Whether a search for a text might find these words: each of its words, or a synonym. Some pass that the index does not find, but for
 * rare forms of words nobody whom it finds is missed.
 */
export function textTest(
  text: string,
  rules: LanguageAnalysis['rules'],
  settings: TypoSettings,
): (words: readonly string[]) => boolean {
  const units = expandText(text, rules, settings, newBudget()).map(phrasesOf);
  return (words) =>
    units.every((phrases) =>
      phrases.some((phrase) => phrase.every((wanted) => words.some((word) => mightBe(wanted, word)))),
    );
}
