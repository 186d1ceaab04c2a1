import type { ScamRules } from '@covalence/contract/scam-rules';
import { contactDataIn, linkedHosts } from '../../members/checks/contact-data.ts';
import { dictionaryOf, phrasesIn, type Dictionary } from '../../members/checks/plain-text.ts';
import type { Message } from '../../messages/message-store.ts';
import type { MessageSignal } from '../signal-store.ts';

/** Characters of a conversation that are read, the newest. */
const longest = 4_000;

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

/** What was said until a message, by each side. */
export interface Said {
  /** By the sender, with the message; joined by blanks, as a text that was cut into messages was meant. */
  readonly sent: string;
  /** The same, joined by nothing. */
  readonly joined: string;
  /** By the other side before. */
  readonly heard: string;
}

const end = (text: string) => text.slice(-longest);

/** What was said until a message, of the last messages of a conversation. */
export function saidUntil({ id, from }: Message, conversation: readonly Message[]): Said {
  const texts = (isSent: boolean) =>
    conversation
      .filter((each) => (each.from === from) === isSent && each.id <= id)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ text }) => text);
  const sent = texts(true);
  return { sent: end(sent.join(' ')), joined: end(sent.join('')), heard: end(texts(false).join(' ')) };
}

/** Where a member writes from, and the address of the site. */
interface Writer {
  readonly country: string;
  readonly url: string;
}

/** Hosts of links that lead away and that the other side has not named before. */
function linksAway({ sent, joined, heard }: Said, rules: ScamRules, { url }: Writer): string[] {
  const allowed = [...rules.signals.links.hosts, new URL(url).hostname];
  const hosts = new Set([...new Set([sent, joined])].flatMap(linkedHosts));
  const away = [...hosts].filter((host) => !allowed.some((domain) => isOf(host, domain)));
  return away.length ? without(away, new Set(linkedHosts(heard))) : away;
}

const hasContact = ({ sent, joined }: Said, country: string): boolean =>
  [...new Set([sent, joined])].some((text) => contactDataIn(text, country).some((kind) => kind !== 'link'));

/**
 * The signals that a message has with what its sender wrote before it; `opening` tells whether the other had not written then.
 * What the other wrote first is no signal, so that nobody is made suspect by an answer.
 */
export function signalsIn(
  said: Said,
  opening: boolean,
  rules: ScamRules,
  writer: Writer,
): Exclude<MessageSignal, 'alike'>[] {
  const { links, contact, money } = rules.signals;
  const words = money.weight > 0 ? phrasesIn(said.sent, moneyWordsOf(rules)) : new Set<string>();
  const isMoney = words.size > 0 && without(words, phrasesIn(said.heard, moneyWordsOf(rules))).length > 0;
  return [
    ...(links.weight > 0 && linksAway(said, rules, writer).length ? (['links'] as const) : []),
    ...(contact.weight > 0 && opening && hasContact(said, writer.country) ? (['contact'] as const) : []),
    ...(isMoney ? (['money'] as const) : []),
  ];
}
