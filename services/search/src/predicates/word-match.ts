import type { LanguageAnalysis } from '../analysis/analysis.ts';
import { expandText, newBudget, type TextUnit, type TypoSettings } from '../analysis/expand-text.ts';
import { typosBetween } from '../analysis/typos.ts';
import { tokensOf } from '../analysis/words.ts';

/** Letters that forms of a word share at the beginning. */
const sharedLetters = 3;

/** Words may differ in this many letters. */
const mostTypos = 2;

/** Parts of a word that are words of the index: its tokenizer splits scripts that are written without blanks. */
const part = /[\p{sc=Han}\p{sc=Hiragana}]|\p{scx=Katakana}+|[^\p{sc=Han}\p{sc=Hiragana}\p{scx=Katakana}]+/gu;

/** The folded words of a text, as the index has them. */
const indexed = (text: string): string[] => tokensOf(text).flatMap((token) => token.match(part) ?? []);

/** Calls a function once for each text. */
export function once<Found>(work: (text: string) => Found) {
  const known = new Map<string, Found>();
  return (text: string) => {
    const found = known.get(text) ?? work(text);
    known.set(text, found);
    return found;
  };
}

/** Finds words of a text by beginnings and with typos. */
export function wordFinder(texts: readonly string[]): (wanted: string) => boolean {
  const words = texts.flatMap(indexed);
  const beginnings = new Set(
    words.flatMap((word) => Array.from({ length: sharedLetters }, (_, index) => word.slice(0, index + 1))),
  );
  const byInitial = Map.groupBy(new Set(words), (word) => word[0]);
  return once(
    (wanted) =>
      beginnings.has(wanted.slice(0, sharedLetters)) ||
      (byInitial.get(wanted[0]) ?? []).some((word) => typosBetween(wanted, word, mostTypos) <= mostTypos),
  );
}

/** The folded words of what was typed, and of each synonym. */
const phrasesOf = ({ words, isKept, alternatives }: TextUnit): string[][] =>
  [...(isKept ? [words] : []), ...alternatives.map((one) => one.words)].map((phrase) =>
    phrase.flatMap(indexed),
  );

/**
 * Whether a search for a text might find these words by the rules of one of the languages: each of its words, or a synonym. Some pass
 * that the index does not find, but for rare forms of words nobody whom it finds is missed.
 */
export function textTests(
  text: string,
  rules: readonly LanguageAnalysis['rules'][],
  settings: TypoSettings,
): ((find: (wanted: string) => boolean) => boolean)[] {
  const all = rules.map((one) => expandText(text, one, settings, newBudget()).map(phrasesOf));
  // Few words have rules, and those of other languages.
  const different = new Map(all.map((units) => [JSON.stringify(units), units]));
  return [...different.values()].map(
    (units) => (find) => units.every((phrases) => phrases.some((phrase) => phrase.every(find))),
  );
}
