import { skeleton } from '@covalence/contract/skeleton';

/** Letters in black circles, in black boxes and of flags, which Unicode does not decompose: the first of each alphabet. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];
/** Small capitals from A to Z, of those that have one. */
const smallCapitals = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ';
/** Numbers in circles, which begin with 1. */
const circledNumbers = [0x24f5, 0x2776, 0x2780, 0x278a];

/** Other signs that show letters or digits. */
const otherSigns: Readonly<Record<string, string>> = {
  '\u{1f18e}': 'ab',
  '\u{1f191}': 'cl',
  '\u{1f192}': 'cool',
  '\u{1f193}': 'free',
  '\u{1f194}': 'id',
  '\u{1f195}': 'new',
  '\u{1f196}': 'ng',
  '\u{1f197}': 'ok',
  '\u{1f198}': 'sos',
  '\u{1f199}': 'up',
  '\u{1f19a}': 'vs',
  '\u{1f51f}': '10',
  '\u{24ff}': '0',
  '©': 'c',
  '®': 'r',
};

const alphabet = Array.from('abcdefghijklmnopqrstuvwxyz');
const numbers = '1 2 3 4 5 6 7 8 9 10'.split(' ');

const fromEach = (firsts: readonly number[], plain: readonly string[]) =>
  firsts.flatMap((first) => plain.map((each, index) => [String.fromCodePoint(first + index), each] as const));

const plainBySign = new Map([
  ...alphabet.map((letter, index) => [smallCapitals.charAt(index), letter] as const),
  ...fromEach(alphabets, alphabet),
  ...fromEach(circledNumbers, numbers),
  ...Object.entries(otherSigns),
]);

const signs = new RegExp(`[${[...plainBySign.keys()].join('')}]`, 'gu');

/** A text with plain letters and digits for small capitals, flags, and those in boxes and circles. */
export const plainLetters = (text: string): string =>
  text.replaceAll(signs, (sign) => plainBySign.get(sign) ?? sign);

/** Without marks and characters that nobody sees, in lower case. */
const bare = (text: string): string =>
  plainLetters(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');

/** A bare text as it looks, in any script and spelling. */
const drawn = (plain: string): string => bare(skeleton(skeleton(plain)));

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
  '€': 'e',
  '¢': 'c',
  '₿': 'b',
  '฿': 'b',
};

const wordsIn = (plain: string): string[] =>
  drawn(
    plain.replaceAll(
      /(?<=\p{L})[@$|€¢₿฿]|[@$|€¢₿฿](?=\p{L})|(?<=\p{L})!(?=\p{L})/gu,
      (sign) => letters[sign] ?? sign,
    ),
  )
    .replaceAll(/[013457l]/g, (sign) => letters[sign] ?? sign)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words of a text, so that all ways to draw a word give the same one. */
export const wordsOf = (text: string): string[] => wordsIn(bare(text));

/** Without the numbers at the edges of words: there they may spell no letters. */
const withoutEdges = (plain: string): string =>
  plain.replaceAll(/(?<=\p{L})\p{Nd}+(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{Nd}+(?=\p{L})/gu, '');

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
  const found = new Set<string>();
  const plain = bare(text);
  for (const words of Array.from(new Set([plain, withoutEdges(plain)]), wordsIn))
    for (const begin of words.keys()) {
      let phrase = '';
      for (let end = begin; end < words.length && phrase.length < longest; end += 1) {
        phrase += words[end] ?? '';
        if (phrases.has(phrase)) found.add(phrase);
      }
    }
  return found;
}
