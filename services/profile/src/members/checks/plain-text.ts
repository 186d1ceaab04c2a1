import { skeleton } from '@covalence/contract/skeleton';

/** Without marks and characters that nobody sees, in lower case. */
const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');

/** A text as it looks, in any script and spelling. */
const drawn = (text: string): string => bare(skeleton(skeleton(bare(text))));

/** Signs that stand for letters; those that look alike are one. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '!': 'i',
  '|': 'i',
};

/** The words of a text, so that all ways to draw a word give the same one. */
export const wordsOf = (text: string): string[] =>
  drawn(
    text
      .replaceAll(/(?<=\p{L})[@$|]|[@$|](?=\p{L})|(?<=\p{L})!(?=\p{L})/gu, (sign) => letters[sign] ?? sign)
      // A number at the end of a word spells no letters.
      .replaceAll(/(?<=\p{L})\p{Nd}{2,}(?![\p{L}\p{N}])/gu, ''),
  )
    .replaceAll(/[013457l]/g, (sign) => letters[sign] ?? sign)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The letters of a text without anything between them. */
export const lettersOf = (text: string): string =>
  drawn(bare(text).replaceAll(/[^\p{L}]+/gu, '')).replaceAll(/[^\p{L}]+/gu, '');

/** Words and phrases to look for in texts. */
export interface Dictionary {
  readonly phrases: ReadonlySet<string>;
  /** Length of the longest. */
  readonly longest: number;
}

/** Prepares words and phrases. */
export function dictionaryOf(words: readonly string[]): Dictionary {
  const phrases = new Set(words.map((word) => wordsOf(word).join('')));
  return { phrases, longest: Math.max(0, ...Array.from(phrases, (phrase) => phrase.length)) };
}

/** The phrases in a text, also where they are spaced out: each is some of its words, one after the other. */
export function phrasesIn(text: string, { phrases, longest }: Dictionary): ReadonlySet<string> {
  const words = wordsOf(text);
  const found = new Set<string>();
  for (const begin of words.keys()) {
    let phrase = '';
    for (let end = begin; end < words.length && phrase.length < longest; end += 1) {
      phrase += words[end] ?? '';
      if (phrases.has(phrase)) found.add(phrase);
    }
  }
  return found;
}
