import { findPhoneNumbersInText, isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import { linkifyit } from 'linkify-it';
import type { ContactKind } from '../document/member.ts';
import { plain, spelledNumbers, withAddresses } from './spelled-out.ts';

const linkify = linkifyit({ fuzzyLink: true });

/** Top-level domains that are words too: `I love music.it keeps me going` has no link. */
const wordEndings = new Set(
  'am as at be by de do es go he if in is it la le me my no of on or so st to un us we'.split(' '),
);

/** A host without scheme or path is a link, unless its top-level domain may start the next sentence. */
const isLink = ({ schema, text }: { readonly schema: string; readonly text: string }): boolean => {
  if (schema === 'mailto:') return false;
  if (schema !== '' || text.startsWith('www.') || /[^/]\/\S/.test(text)) return true;
  const labels = text.split('.');
  return labels.length > 2 || !wordEndings.has(labels.at(-1) ?? '');
};

// Without `live`, because of texts such as `at live concerts`.
const providers = 'gmail|googlemail|hotmail|outlook|yahoo|icloud|protonmail|proton|gmx|web.de|aol|mail.ru';
/** `name at gmail`: the provider is enough. */
const namedProvider = new RegExp(
  String.raw`[\p{L}\p{N}._+-]\s{0,3}[([{]?\s{0,3}(?:@|\bat\b|\barroba\b|\bchez\b)\s{0,3}[)\]}]?\s{0,3}(?:${providers})(?![\p{L}])`,
  'u',
);

/** An e-mail address with a top-level domain of any script. */
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

const countryOf = (country: string): CountryCode | undefined =>
  isSupportedCountry(country) ? country : undefined;

const numbersIn = (text: string, country: string) => {
  const defaultCountry = countryOf(country);
  return findPhoneNumbersInText(text, { ...(defaultCountry && { defaultCountry }), extended: true });
};

const hasPhone = (text: string, country: string) =>
  numbersIn(text, country).length > 0 ||
  spelledNumbers(text).some((digits) => digits.length >= shortestNumber);

const checks: Readonly<Record<ContactKind, (text: string, country: string) => boolean>> = {
  email: hasEmail,
  phone: hasPhone,
  link: (text) => (linkify.match(text) ?? []).some(isLink),
  handle: hasHandle,
};

const kinds = Object.keys(checks) as ContactKind[];

/**
 * Kinds of contact data in a text, spelled out or not: e-mail addresses, phone numbers (of the member's country, as
 * two letters, or international), links and messenger names. Staff review every match, so precision matters more than
 * recall.
 */
export function contactDataIn(text: string, country: string): ContactKind[] {
  const readable = withAddresses(plain(text));
  return kinds.filter((kind) => checks[kind](readable, country));
}
