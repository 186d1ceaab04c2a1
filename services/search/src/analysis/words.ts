/** Letters that have no decomposition, as the index folds them. */
const folded: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  '’': "'",
};

/** Lower case without accents, like the words of the index. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøłđðþıς’]/g, (letter) => folded[letter] ?? letter);

/** The words of a text: its parts between blanks that contain a letter or digit, or the text itself if it has none. */
export function wordsOf(value: string): string[] {
  const words = value.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  return words.length ? words : [value];
}

/** The folded words of a text without the signs between them, as rules are compared. */
export const tokensOf = (text: string): string[] =>
  fold(text).match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];
