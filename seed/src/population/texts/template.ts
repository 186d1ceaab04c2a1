import type { Gender } from '@covalence/contract/record';
import type { Random } from '../random.ts';
import { linesByTopic, wordsBySlot } from './phrases.ts';

/** Values of slots such as `{city}`. A line with a slot without value cannot be used. */
export type Facts = Readonly<Record<string, string | undefined>>;

/** The person a line is filled for. */
export interface Writer {
  readonly facts: Facts;
  readonly gender: Gender;
  /** Words used so far, so that no word is used twice in a text. */
  readonly used: Set<string>;
}

const innermost = /\{([^{}]*)\}/;

const known = new Map<string, readonly string[]>();

/** The names of the slots of a line, without alternatives and forms. */
export function slotsOf(line: string): readonly string[] {
  const slots =
    known.get(line) ?? [...line.matchAll(/\{([^{}|/]+)\}/g)].map(([, slot = '']) => lowerFirst(slot));
  known.set(line, slots);
  return slots;
}

/** The lines of a topic whose slots all have a value for this writer. */
export const fittingLines = (topic: string, { facts }: Writer): readonly string[] =>
  (linesByTopic.get(topic) ?? []).filter((line) =>
    slotsOf(line).every((slot) => facts[slot] !== undefined || wordsBySlot.has(slot)),
  );

/**
 * Fills the slots of a line: `{city}` is a fact or a word, `{a|b}` is either, `{he/she}` the form for a man or a woman.
 * A slot with a capital gives a capital. Throws on a slot without a value.
 */
export function fill(line: string, writer: Writer, random: Random): string {
  let text = line;
  for (let slot = innermost.exec(text); slot; slot = innermost.exec(text)) {
    const value = valueOf(slot[1] ?? '', writer, random);
    text = text.slice(0, slot.index) + value + text.slice(slot.index + slot[0].length);
  }
  return upperFirst(text);
}

function valueOf(slot: string, writer: Writer, random: Random): string {
  if (slot.includes('|')) return random.pick(slot.split('|'));
  if (slot.includes('/')) return slot.split('/')[writer.gender === 'Male' ? 0 : 1] ?? '';
  const name = lowerFirst(slot);
  const value = writer.facts[name] ?? drawWord(name, writer, random);
  return name === slot ? value : upperFirst(value);
}

function drawWord(name: string, { used }: Writer, random: Random): string {
  const all = wordsBySlot.get(name);
  if (!all) throw new Error(`nothing to put in {${name}}`);
  const fresh = all.filter((word) => !used.has(word));
  const word = random.pick(fresh.length > 0 ? fresh : all);
  used.add(word);
  return word;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
