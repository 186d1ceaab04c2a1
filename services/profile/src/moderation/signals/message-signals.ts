import type { ScamRules } from '@covalence/contract/scam-rules';
import { contactDataIn, linkedHosts } from '../../members/checks/contact-data.ts';
import { dictionaryOf, phrasesIn, type Dictionary } from '../../members/checks/plain-text.ts';
import type { Message } from '../../messages/message-store.ts';
import type { MessageSignal } from '../store/signal-store.ts';

/** Characters of a message that are read, the newest: as many as it has at most. */
const longest = 4_000;

/** Characters on both sides of the boundary of two messages, in which something may be cut into several. */
const longestCut = 300;

/** Characters of what the other side wrote, which are read only where there is something to look for. */
const longestHeard = 50_000;

const dictionaries = new WeakMap<ScamRules, Dictionary>();

/** The words about money of a site, in all languages. */
function moneyWordsOf(rules: ScamRules): Dictionary {
  const known = dictionaries.get(rules) ?? dictionaryOf(Object.values(rules.signals.money.words).flat());
  dictionaries.set(rules, known);
  return known;
}

const isOf = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

const without = (found: Iterable<string>, known: ReadonlySet<string>): string[] =>
  [...found].filter((each) => !known.has(each));

/** Texts one after the other: joined by blanks, and by nothing, as a text that was cut into messages was meant. */
type Joined = readonly string[];

/** The texts of both sides up to a message. */
export interface Said {
  readonly text: string;
  /** The end of what its sender wrote before it. */
  readonly before: Joined;
  /** The same, and the beginning of the message. */
  readonly across: Joined;
  /** By the other side before; undefined where that is more than can be read. */
  readonly heard: Joined | undefined;
}

/** Characters that nobody sees, and those that stand for whole sentences. */
const hollow = /\p{Default_Ignorable_Code_Point}|[\uFDFA\uFDFB]/gu;

/** A message without them, as it is read. */
export const readable = (text: string): string =>
  Array.from(text.replaceAll(hollow, '')).slice(-longest).join('');

/** The beginning of a text, with the whole of its last word. */
const beginning = new RegExp(`^[^]{0,${longestCut}}\\S{0,100}`, 'u');

const join = (texts: readonly string[]): Joined => [...new Set([texts.join(' '), texts.join('')])];

/** The earlier texts of the other side, joined; undefined if they are too long. */
export function heardFrom(texts: readonly string[]): Joined | undefined {
  const length = texts.reduce((sum, { length: each }) => sum + each, 0);
  return length > longestHeard ? undefined : join(texts.map((text) => text.replaceAll(hollow, '')));
}

/** Messages of the sender that are read beside one. */
const mostEarlier = 30;

/** The last texts that the sender of a message wrote before it, oldest first. */
export const earlierOf = ({ id, from }: Message, conversation: readonly Message[]): string[] =>
  conversation
    .filter((other) => other.from === from && other.id < id)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(-mostEarlier)
    .map(({ text }) => readable(text));

/** Collects the texts up to a message: the sender's last ones, and the other side's. */
export function saidUntil(text: string, earlier: readonly string[], heard: Said['heard']): Said {
  const own = readable(text);
  if (!earlier.length) return { text: own, before: [], across: [], heard };
  const ends = [' ', ''].map((gap) => earlier.join(gap).slice(-longestCut) + gap);
  const begin = beginning.exec(own)?.[0] ?? '';
  return { text: own, before: ends, across: ends.map((end) => end + begin), heard };
}

type Find = (text: string) => Iterable<string>;

const foundIn = (texts: Joined, find: Find): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...find(text)]));

/** Matches that a message contains itself, or completes with the sender's earlier texts. Earlier matches do not count again. */
function addedBy({ text, across, before }: Said, find: Find): string[] {
  const own = foundIn([text], find);
  const completed = without(foundIn(across, find), own);
  return [...own, ...(completed.length ? without(completed, foundIn(before, find)) : [])];
}

/** The same without what the other side has written before. */
function namedFirst(said: Said, find: Find): string[] {
  const added = said.heard ? addedBy(said, find) : [];
  return said.heard && added.length ? without(added, foundIn(said.heard, find)) : added;
}

/** The country of the writing member, and the address of the site. */
interface Writer {
  readonly country: string;
  readonly url: string;
}

/** A host as links have it, in ASCII and with every subdomain. */
const domainOf = (host: string): string => {
  const address = `https://${host}`;
  return (URL.canParse(address) ? new URL(address).hostname : host).replace(/^www\./, '');
};

/** The hosts of a text that lead away from the site. */
function hostsAway(rules: ScamRules, { url }: Writer): Find {
  const allowed = [...rules.signals.links.hosts, new URL(url).hostname].map(domainOf);
  return (text) => linkedHosts(text).filter((host) => !allowed.some((domain) => isOf(host, domain)));
}

/** The signals that a message has with what its sender wrote before it; `opening` tells whether the other had not written then. */
export function signalsIn(
  said: Said,
  opening: boolean,
  rules: ScamRules,
  writer: Writer,
): Exclude<MessageSignal, 'alike'>[] {
  const { links, contact, money } = rules.signals;
  const contactIn: Find = (text) => contactDataIn(text, writer.country).filter((kind) => kind !== 'link');
  const moneyIn: Find = (text) => phrasesIn(text, moneyWordsOf(rules));
  return [
    ...(links.weight > 0 && namedFirst(said, hostsAway(rules, writer)).length ? (['links'] as const) : []),
    ...(contact.weight > 0 && opening && addedBy(said, contactIn).length ? (['contact'] as const) : []),
    ...(money.weight > 0 && namedFirst(said, moneyIn).length ? (['money'] as const) : []),
  ];
}
