import { findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js/max';
import { linkifyit } from 'linkify-it';
import type { ContactKind } from '../document/member.ts';
import { plainLetters } from './plain-text.ts';

// Words for the characters of an address or number in the languages of the sites; whole words, longest first.
const atWords = 'at|ät|arroba|chez|arobase|klammeraffe|παπάκι|παπακι|στο';
const dotWords = 'dot|d0t|punkt|punto|point|τελεία|τελεια|nokta|ponto';
// Every repetition is bounded, so that matching takes linear time.
const open = String.raw`\s{0,3}[([{<*_-]{0,3}\s{0,3}`;
const close = String.raw`\s{0,3}[)\]}>*_-]{0,3}\s{0,3}`;
const label = String.raw`[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}`;

/** Top-level domains behind a spelled-out dot: `look at the dot on the map` is no address. */
const endings = 'xyz|icu|vip|com|net|org|info|me|io|de|at|ch|es|gr|fr|it|tr|co|uk|eu|us|mx|ar';
const word = (words: string) => String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`;

/** `name at gmail dot com`, `name (at) gmail.com`, `name@gmail punkt de`, `name [arroba] correo punto es`. */
const spelledAddress = new RegExp(
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

/** Characters that nobody sees, and the boxes and circles around others. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Me}]/gu;

/** Letters that a character may stand for; those that stand for more are words, and no part of an address. */
const mostLetters = 3;

/** The compatible form of a text, which is not many times as long. */
function compatible(text: string): string {
  const whole = text.normalize('NFKC');
  if (whole.length <= 2 * text.length) return whole;
  return Array.from(text, (each) => (each.normalize('NFKC').length > mostLetters ? ' ' : each))
    .join('')
    .normalize('NFKC');
}

/** A text in lower case without invisible characters. */
const visibleText = (text: string): string =>
  compatible(plainLetters(text)).replace(invisible, '').toLowerCase();

/** The same, with spelled-out addresses rewritten as addresses. */
const readableText = (text: string): string =>
  visibleText(text).replace(spelledAddress, '$1@$2.$3').replace(host, '$1.$2');

/** The digits of each run of seven or more that has a number word in it or is spread out digit by digit. */
function spelledNumbers(text: string): string[] {
  return [...text.matchAll(number)]
    .map(([run]) => run)
    .filter((run) => /\p{L}/u.test(run) || /\d(?:[\s.,/-]+\d(?!\d)){5,}/.test(run))
    .map(asDigits);
}

const linkify = linkifyit({ fuzzyLink: true });

/** Top-level domains that are words too: `I love music.it keeps me going` has no link. */
const wordEndings = new Set(
  'am as at be by de do es go he if in is it la le me my no of on or so st to un us we'.split(' '),
);

/** A host without scheme or path is a link, unless its top-level domain may start the next sentence. */
const isLink = (
  { schema, text }: { readonly schema: string; readonly text: string },
  words: ReadonlySet<string> = wordEndings,
): boolean => {
  if (schema === 'mailto:') return false;
  if (schema !== '' || text.startsWith('www.') || /[^/]\/\S/.test(text)) return true;
  const labels = text.split('.');
  return labels.length > 2 || !words.has(labels.at(-1) ?? '');
};

// Without `live`, because of texts such as `at live concerts`.
const providers =
  'gmail|googlemail|hotmail|outlook|yahoo|icloud|protonmail|proton|gmx|web\\.de|aol|mail\\.ru';
/** `name at gmail`: the provider is enough. */
const namedProvider = new RegExp(
  String.raw`[\p{L}\p{N}._+-]\s{0,3}[([{]?\s{0,3}(?:@|\bat\b|\barroba\b|\bchez\b)\s{0,3}[)\]}]?\s{0,3}(?:${providers})(?![\p{L}])`,
  'u',
);

/** An email address with a top-level domain of any script. */
const address = /[\p{L}\p{N}._+-]@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,}/u;

const hasEmail = (text: string) => address.test(text) || namedProvider.test(text);

const messengers =
  'whats ?app|telegram|insta(?:gram)?|ig|snap(?:chat)?|kik|viber|signal|discord|skype|wechat|tik ?tok|facebook|fb|messenger|twitter|threema';
const connector = String.raw`(?:me|id|name|user(?:name)?|handle|nick(?:name)?|account|konto|cuenta|usuario|is|ist|es|είναι|on|as|my|mein|mi)`;
/** After a messenger's name: a colon and any word, an @ and any word, or a word that only a handle looks like. */
const named = String.raw`(?::\s*@?[\p{L}\p{N}][\p{L}\p{N}._-]{2,}|=\s*@?[\p{L}\p{N}._-]{3,}|@[\p{L}\p{N}._-]{3,}|[\p{L}][\p{L}\p{N}]*(?:[_]|[.](?=\p{L})|\d)[\p{L}\p{N}._-]*\w)`;
const handleOnMessenger = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${messengers})(?![\p{L}\p{N}])\s{0,3}(?:${connector}\s{1,3}){0,3}(?:${connector})?\s{0,3}${named}`,
  'u',
);
/** `@name` that is not part of an address. */
const bareHandle = /(?<![\p{L}\p{N}._+-])@[\p{L}_][\p{L}\p{N}._]{2,}/u;

const hasHandle = (text: string) => handleOnMessenger.test(text) || bareHandle.test(text);

const shortestNumber = 7;

/** Digits of a text: more are no dates and ages, and each costs time. */
const mostDigits = 300;

const hasPhone = (text: string, country: string) => {
  const home = isSupportedCountry(country) && { defaultCountry: country };
  return (
    (text.match(/\p{Nd}/gu)?.length ?? 0) > mostDigits ||
    findPhoneNumbersInText(text, { ...home, extended: true }).length > 0 ||
    spelledNumbers(text).some((digits) => digits.length >= shortestNumber)
  );
};

/** Endings that scams like, beside those that linkify knows. */
const scamEndings =
  'app bond cam click club cyou dating finance icu link loan loans ltd monster online quest sbs shop site store tech top vip website xyz';
/** The same, which are words as well. */
const scamWordEndings =
  'art bar best bid blog buzz cash center chat cloud date day dev digital earth email fit fun fund games group guru help home host house kim life live lol love market media men mobi money network news now one page party press pro rest review rocks run social solutions space stream studio support team today trade tube video wiki win work world zone';

const linkifyAway = linkifyit({ fuzzyLink: true }).tlds(`${scamEndings} ${scamWordEndings}`.split(' '), true);
const awayWordEndings = new Set([...wordEndings, ...scamWordEndings.split(' ')]);

/** Dots of other scripts, dots in brackets, and dots with blanks around them before an ending that is no word. */
const otherDots = /[。．｡·•․‧]/g;
const looseDot = new RegExp(
  String.raw`([\p{L}\p{N}-]{2,63})\s{0,3}(?:[([{]\s{0,3}\.\s{0,3}[)\]}]\s{0,3}(?=(?:${endings}|net|${scamEndings.replaceAll(' ', '|')})(?![\p{L}\p{N}]))` +
    String.raw`|\.\s{0,3}(?=(?:com|org|xyz)(?![\p{L}\p{N}])))`,
  'gu',
);

/** The user part of `https://site@host`, which browsers ignore. */
const userInfo = /(?<=:\/\/)[^\s/?#\\]{0,200}@/g;

/** The domains of mailboxes; who names one without a scheme and a path means an address. */
const mailHost =
  /^(?:(?:gmail|googlemail|icloud|protonmail|aol)\.com|(?:hotmail|outlook|yahoo|gmx)\.(?:com|net|de|at|ch|es|fr|gr|it|co\.uk|com\.(?:tr|mx|ar))|proton\.me|web\.de|mail\.ru)$/;

/** The hosts that links of a text lead to, also of disguised ones, in ASCII; not those of email addresses. */
export function linkedHosts(text: string): string[] {
  const readable = visibleText(text.replace(otherDots, '.'))
    .replace(host, '$1.$2')
    .replace(looseDot, '$1.')
    .replace(/\bhxxp/g, 'http')
    .replace(userInfo, '');
  const links = (linkifyAway.match(readable) ?? []).filter(
    (link) => isLink(link, awayWordEndings) && !mailHost.test(link.text),
  );
  return [...new Set(links.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).hostname] : [])))];
}

const checks: Readonly<Record<ContactKind, (text: string, country: string) => boolean>> = {
  email: hasEmail,
  phone: hasPhone,
  link: (text) => (linkify.match(text) ?? []).some((each) => isLink(each)),
  handle: hasHandle,
};

const kinds = Object.keys(checks) as ContactKind[];

/**
 * Kinds of contact data in a text, spelled out or not; `country` has two letters. Staff review every match, so precision
 * matters more than recall.
 */
export function contactDataIn(text: string, country: string): ContactKind[] {
  const readable = readableText(text);
  return kinds.filter((kind) => checks[kind](readable, country));
}
