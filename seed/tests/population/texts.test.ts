import { describe, expect, it } from '@jest/globals';
import { createPerson } from '../../src/population/create-person.ts';
import { generatePopulation } from '../../src/population/population.ts';
import { randomOf } from '../../src/population/random.ts';
import { factsOf } from '../../src/population/texts/facts.ts';
import { languages, type Tongue } from '../../src/population/texts/language.ts';
import { slotsOf } from '../../src/population/texts/template.ts';

const now = new Date('2026-11-21T09:00:00Z');
const members = [...generatePopulation({ count: 2_000, seed: 7, now })];
const abouts = members.map(({ fields }) => String(fields['about_me']));

type Members = typeof members;
const women = members.filter(({ fields }) => fields['gender'] === 'Female');
const young = members.filter(({ fields }) => String(fields['date_of_birth']) > '2003');

/** What matches in texts about oneself. */
const said = (wrong: RegExp, of: Members = members) =>
  of.flatMap(({ fields }) => wrong.exec(String(fields['about_me']))?.[0] ?? []);

const sentencesOf = (text: string) =>
  text
    .toLowerCase()
    .split(/(?<=[.!?…;])\s+|\n+/)
    .map((sentence) => sentence.replace(/[.!?…\s]+$/, '').trim())
    .filter((sentence) => sentence.length > 12);

describe('texts about oneself', () => {
  it.each([1, 7, 99, 12_345])(
    'never say the same sentence twice in a row, nor twice in one text (seed %s)',
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

  it('use each sentence for few people', () => {
    const uses = new Map<string, number>();
    for (const sentence of abouts.flatMap(sentencesOf)) uses.set(sentence, (uses.get(sentence) ?? 0) + 1);
    expect(Math.max(...uses.values())).toBeLessThan(abouts.length * 0.04);
    expect(uses.size).toBeGreaterThan(2_500);
  });

  it('leave no slot open and no word doubled', () => {
    const texts = members.flatMap(({ fields }) =>
      Object.values(fields).filter((value) => typeof value === 'string'),
    );
    expect(texts.filter((text) => /[{}|]|undefined|\bnull\b/.test(text))).toEqual([]);
    expect(
      texts.filter((text) => /\b(and|of|to|in) \1\b|\b(a|an|the|my) (a|an|the|my)\b/i.test(text)),
    ).toEqual([]);
    expect(texts.filter((text) => / {2}| [,.]/.test(text))).toEqual([]);
  });

  it('in English put the right article before a vowel', () => {
    const english = members.filter(({ fields }) => fields['locale'] === 'en_US');
    const texts = english.flatMap(({ fields }) =>
      Object.values(fields).filter((value) => typeof value === 'string'),
    );
    const wrong = texts.flatMap(
      (text) => text.match(/\ba (?!one\b|used\b|UX\b|uni)[aeiou]\w+|\ban [bcdfgjklmnpqrstvwz]\w+/g) ?? [],
    );
    expect(wrong).toEqual([]);
  });

  it('in other languages say years, forms and persons as they are', () => {
    expect(said(/\b1 (Jahre|años|ans|χρονών|yaşında)/)).toEqual([]);
    expect(said(/(Seit Jahren arbeite|Llevo años|fait des années|Χρόνια δουλεύω|Yıllardır)/i, young)).toEqual(
      [],
    );
    expect(said(/Soy de los|\buno sabe|Alte-Herren/i, women)).toEqual([]);
    // Somebody in general is a man to Greek ears, and a city need not be feminine.
    expect(said(/κάποιον|τη νιώθω|Wirbelwind|gutes Döner|Ya crié, ya volaron/i)).toEqual([]);
  });

  it('differ in length as people do', () => {
    const lengths = abouts.map((text) => text.length).sort((a, b) => a - b);
    const at = (share: number) => lengths[Math.floor(share * lengths.length)] ?? 0;
    expect(at(0.9)).toBeGreaterThan(at(0.1) * 1.8);
  });
});

describe('lines', () => {
  const people = Array.from({ length: 400 }, (_, index) => createPerson(5, index, now));

  it.each(Object.keys(languages) as Tongue[])('in %s have only slots that somebody can fill', (tongue) => {
    const language = languages[tongue];
    const filled = new Set(language.words.keys());
    for (const [index, person] of people.entries()) {
      const facts = factsOf(person, { agefrom: 30 }, tongue, language, randomOf(5, index));
      for (const [slot, value] of Object.entries(facts)) if (value !== undefined) filled.add(slot);
    }
    const lines = [...language.lines.values()].flat();
    expect(lines.filter((line) => !slotsOf(line).every((slot) => filled.has(slot)))).toEqual([]);
  });

  it.each(Object.keys(languages) as Tongue[])('in %s have headlines that can be short enough', (tongue) => {
    const headlines = [...languages[tongue].lines]
      .filter(([topic]) => topic.startsWith('headline.'))
      .flatMap(([, lines]) => lines);
    expect(headlines.filter((line) => line.replace(/\{[^}]*\}/g, '').length > 75)).toEqual([]);
  });
});
