/**
 * Words for the characters of an address or number in the languages of the sites; whole words, longest first.
 */
const atWords = 'at|ät|arroba|chez|arobase|klammeraffe|παπάκι|παπακι|στο';
const dotWords = 'dot|punkt|punto|point|τελεία|τελεια|nokta|ponto';
// Every repetition is bounded, so that matching takes linear time.
const open = String.raw`\s{0,3}[([{<*_-]{0,3}\s{0,3}`;
const close = String.raw`\s{0,3}[)\]}>*_-]{0,3}\s{0,3}`;
const label = String.raw`[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}`;

/** Top-level domains behind a spelled-out dot: `look at the dot on the map` is no address. */
const endings = 'com|net|org|info|me|io|de|at|ch|es|gr|fr|it|tr|co|uk|eu|us|mx|ar';
const word = (words: string) => String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`;

/** `name at gmail dot com`, `name (at) gmail.com`, `name@gmail punkt de`, `name [arroba] correo punto es`. */
const address = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${label})${open}(?:@|${word(atWords)})${close}` +
    String.raw`([\p{L}\p{N}-]{1,63})${open}(?:\.|${word(dotWords)})${close}(${endings})(?![\p{L}\p{N}])`,
  'giu',
);

/** `example dot com`; a word of two letters or more on both sides. */
const host = new RegExp(
  String.raw`(?<![\p{L}\p{N}])([\p{L}\p{N}-]{2,63})${open}${word(dotWords)}${close}(${endings})(?![\p{L}\p{N}])`,
  'giu',
);

const digitsOf: readonly (readonly string[])[] = [
  ['zero', 'oh', 'cero', 'null', 'μηδέν', 'μηδεν', 'zéro', 'sıfır'],
  ['one', 'uno', 'un', 'eins', 'ένα', 'ενα', 'bir'],
  ['two', 'dos', 'zwei', 'zwo', 'δύο', 'δυο', 'deux', 'iki'],
  ['three', 'tres', 'drei', 'τρία', 'τρια', 'trois', 'üç'],
  ['four', 'cuatro', 'vier', 'τέσσερα', 'τεσσερα', 'quatre', 'dört'],
  ['five', 'cinco', 'fünf', 'fuenf', 'πέντε', 'πεντε', 'cinq', 'beş'],
  ['six', 'seis', 'sechs', 'έξι', 'εξι', 'altı'],
  ['seven', 'siete', 'sieben', 'επτά', 'εφτά', 'επτα', 'sept', 'yedi'],
  ['eight', 'ocho', 'acht', 'οκτώ', 'οχτώ', 'οκτω', 'huit', 'sekiz'],
  ['nine', 'nueve', 'neun', 'εννέα', 'εννιά', 'εννεα', 'neuf', 'dokuz'],
];
const digitByWord = new Map(digitsOf.flatMap((words, digit) => words.map((word) => [word, String(digit)])));
const digitWord = [...digitByWord.keys()].toSorted((one, other) => other.length - one.length).join('|');
const digit = String.raw`(?:\d|(?<![\p{L}])(?:${digitWord})(?![\p{L}]))`;
/** Seven digits and number words or more, one after the other. */
const number = new RegExp(String.raw`${digit}(?:[\s.,/()-]{0,3}${digit}){6,}`, 'giu');

const asDigits = (run: string): string =>
  run
    .replace(new RegExp(digitWord, 'giu'), (word) => digitByWord.get(word.toLowerCase()) ?? word)
    .replace(/[^\d]/g, '');

const invisible = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/** A normalized text: compatibility forms folded, invisible characters removed, lower case. */
export function plain(text: string): string {
  return text.normalize('NFKC').replace(invisible, '').toLowerCase();
}

/** A normalized text with spelled-out addresses rewritten as addresses. */
export function withAddresses(text: string): string {
  return text.replace(address, '$1@$2.$3').replace(host, '$1.$2');
}

/** The digits of each run of seven or more that has a number word in it or is spread out digit by digit. */
export function spelledNumbers(text: string): string[] {
  return [...text.matchAll(number)]
    .map(([run]) => run)
    .filter((run) => /\p{L}/u.test(run) || /\d(?:[\s.,/-]+\d(?!\d)){5,}/.test(run))
    .map(asDigits);
}
