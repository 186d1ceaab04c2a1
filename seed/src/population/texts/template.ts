import type { Gender } from '@covalence/contract/record';
import type { Random } from '../random.ts';
import type { Language } from './language.ts';

/** What a line may say about its writer: `{city}`, `{job}`; a slot without a value makes the line unfit. */
export type Facts = Readonly<Record<string, string | undefined>>;

/** The writer's side of filling a line. */
export interface Writer {
  readonly facts: Facts;
  readonly gender: Gender;
  readonly language: Language;
  /** For capitals, e.g. `tr` for Turkish. */
  readonly locale: string;
  /** The words used already, so that none comes twice in a text. */
  readonly used: Set<string>;
}

const innermost = /\{([^{}]*)\}/;

const known = new Map<string, readonly string[]>();

/** The names of a line's slots, without alternatives and forms. */
export function slotsOf(line: string): readonly string[] {
  const slots =
    known.get(line) ?? [...line.matchAll(/\{([^{}|/]+)\}/g)].map(([, slot = '']) => lowerFirst(slot));
  known.set(line, slots);
  return slots;
}

/** True when every slot of the line has a value for this writer. */
export function fits(line: string, { facts, language }: Writer): boolean {
  return slotsOf(line).every((slot) => facts[slot] !== undefined || language.words.has(slot));
}

/**
 * A line with its slots filled: `{city}` is a fact or one of the language's words, `{a|b}` is either, `{he/she}` the
 * form for a man or a woman. A slot with a capital gives a capital. Throws on a slot without a value.
 */
export function fill(line: string, writer: Writer, random: Random): string {
  let text = line;
  for (let slot = innermost.exec(text); slot; slot = innermost.exec(text)) {
    const value = valueOf(slot[1] ?? '', writer, random);
    text = text.slice(0, slot.index) + value + text.slice(slot.index + slot[0].length);
  }
  return upperFirst(text, writer.locale);
}

function valueOf(slot: string, writer: Writer, random: Random): string {
  if (slot.includes('|')) return random.pick(slot.split('|'));
  if (slot.includes('/')) return slot.split('/')[writer.gender === 'Male' ? 0 : 1] ?? '';
  const name = lowerFirst(slot);
  const value = writer.facts[name] ?? drawWord(name, writer, random);
  return name === slot ? value : upperFirst(value, writer.locale);
}

function drawWord(name: string, { language, used }: Writer, random: Random): string {
  const all = language.words.get(name);
  if (!all) throw new Error(`nothing to put in {${name}}`);
  const fresh = all.filter((word) => !used.has(word));
  const word = random.pick(fresh.length > 0 ? fresh : all);
  used.add(word);
  return word;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The text with a capital first letter, by the rules of the locale. */
export function upperFirst(text: string, locale: string): string {
  const first = text.charAt(0);
  // Greek capitals would lose their accents under their own locale's rules.
  return (locale === 'tr' ? first.toLocaleUpperCase(locale) : first.toUpperCase()) + text.slice(1);
}
