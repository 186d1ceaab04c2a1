import { describe, expect, it } from '@jest/globals';
import { createPerson } from '../../src/population/create-person.ts';
import { generatePopulation } from '../../src/population/population.ts';
import { randomOf } from '../../src/population/random.ts';
import { factsOf } from '../../src/population/texts/facts.ts';
import { linesByTopic, wordsBySlot } from '../../src/population/texts/phrases.ts';
import { slotsOf } from '../../src/population/texts/template.ts';

const now = new Date('2026-11-21T09:00:00Z');
const members = [...generatePopulation({ count: 2_000, seed: 7, now })];
const abouts = members.map(({ fields }) => String(fields['about_me']));

const sentencesOf = (text: string) =>
  text
    .toLowerCase()
    .split(/(?<=[.!?…;])\s+|\n+/)
    .map((sentence) => sentence.replace(/[.!?…\s]+$/, '').trim())
    .filter((sentence) => sentence.length > 12);

describe('about_me', () => {
  it.each([1, 7, 99, 12_345])(
    'never repeat a sentence within a text or in the next one (seed %s)',
    (seed) => {
      const texts = [...generatePopulation({ count: 1_500, seed, now })].map(({ fields }) =>
        String(fields['about_me']),
      );
      const repeated = texts.flatMap((text, index) => {
        const sentences = sentencesOf(text);
        const before = new Set(sentencesOf(texts[index - 1] ?? ''));
        const twice = sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at);
        return [...twice, ...sentences.filter((sentence) => before.has(sentence))];
      });
      expect(repeated).toEqual([]);
    },
  );

  it('use each sentence for few members', () => {
    const uses = new Map<string, number>();
    for (const sentence of abouts.flatMap(sentencesOf)) uses.set(sentence, (uses.get(sentence) ?? 0) + 1);
    expect(Math.max(...uses.values())).toBeLessThan(abouts.length * 0.04);
    expect(uses.size).toBeGreaterThan(2_500);
  });

  it('have no open slot and no repeated word', () => {
    const texts = members.flatMap(({ fields }) =>
      Object.values(fields).filter((value) => typeof value === 'string'),
    );
    expect(texts.filter((text) => /[{}|]|undefined|\bnull\b/.test(text))).toEqual([]);
    expect(
      texts.filter((text) => /\b(and|of|to|in) \1\b|\b(a|an|the|my) (a|an|the|my)\b/i.test(text)),
    ).toEqual([]);
    expect(texts.filter((text) => / {2}| [,.]/.test(text))).toEqual([]);
  });

  it('use the right article before a vowel', () => {
    // Elsewhere, `\b` would match inside names such as Cataluña.
    const american = members.filter(({ fields }) => fields['locale'] === 'en_US');
    const texts = american.flatMap(({ fields }) =>
      Object.values(fields).filter((value) => typeof value === 'string'),
    );
    const wrong = texts.flatMap(
      (text) => text.match(/\ba (?!one\b|used\b|UX\b|uni)[aeiou]\w+|\ban [bcdfgjklmnpqrstvwz]\w+/g) ?? [],
    );
    expect(wrong).toEqual([]);
  });

  it('vary in length', () => {
    const lengths = abouts.map((text) => text.length).sort((a, b) => a - b);
    const at = (share: number) => lengths[Math.floor(share * lengths.length)] ?? 0;
    expect(at(0.9)).toBeGreaterThan(at(0.1) * 1.8);
  });
});

describe('lines', () => {
  const people = Array.from({ length: 400 }, (_, index) => createPerson(5, index, now));

  it('have only slots that can be filled', () => {
    const filled = new Set(wordsBySlot.keys());
    for (const [index, person] of people.entries()) {
      const facts = factsOf(person, { agefrom: 30 }, randomOf(5, index));
      for (const [slot, value] of Object.entries(facts)) if (value !== undefined) filled.add(slot);
    }
    const lines = [...linesByTopic.values()].flat();
    expect(lines.filter((line) => !slotsOf(line).every((slot) => filled.has(slot)))).toEqual([]);
  });

  it('have headlines that can be short enough', () => {
    const headlines = [...linesByTopic]
      .filter(([topic]) => topic.startsWith('headline.'))
      .flatMap(([, lines]) => lines);
    expect(headlines.filter((line) => line.replace(/\{[^}]*\}/g, '').length > 75)).toEqual([]);
  });
});
